package dev.coatcheck.db.lease;

import dev.coatcheck.db.dispatch.Dispatch;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.probe.Checkpoint;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives a new dispatch to queued jobs whose newest one is gone, ended, or stuck. */
public final class ReconcileDispatches {
  /** Reconciled in one transaction. */
  static final int BATCH = 100;

  private final EngineDatabase database;
  private final Dispatches dispatches;

  public ReconcileDispatches(EngineDatabase database, Dispatches dispatches) {
    this.database = database;
    this.dispatches = dispatches;
  }

  /**
   * Makes up to {@link #BATCH} dispatches.
   *
   * @return the jobs that had none that would wake them
   */
  public List<JobId> reconcile() {
    List<Stranded> stranded =
        database
            .transaction()
            .execute(
                status -> {
                  List<Stranded> found = find();
                  found.forEach(this::dispatch);
                  reach(found);
                  return found;
                });
    reach(stranded);
    List<JobId> jobs = stranded.stream().map(job -> job.dispatch.job()).toList();
    jobs.forEach(dispatches::announce);
    return jobs;
  }

  private void reach(List<Stranded> some) {
    if (!some.isEmpty()) {
      database.probe().reach(Checkpoint.K19_RECONCILED);
    }
  }

  /**
   * A dispatch that was claimed has acquired its job within moments, and while its worker lives is
   * touched each poll interval: after 10 s without either that worker is gone.
   */
  private List<Stranded> find() {
    return database
        .sql()
        .sql(
            """
            select job.* from job
            left join jobrunr_jobs dispatch on dispatch.id = job.dispatch_id::text::char(36)
            where job.status = 'queued' and job.deadline_at > now()
              and (dispatch.id is null
                or dispatch.state in ('SUCCEEDED', 'FAILED', 'DELETED')
                or (dispatch.state = 'PROCESSING'
                  and dispatch.updatedAt < (now() at time zone 'UTC') - interval '10 seconds'))
            order by job.id limit :batch for update of job skip locked
            """)
        .param("batch", BATCH)
        .query(
            (row, index) -> {
              OffsetDateTime wakeAt = row.getObject("wake_at", OffsetDateTime.class);
              return new Stranded(
                  NextDispatch.read(row), wakeAt == null ? null : wakeAt.toInstant());
            })
        .list();
  }

  private void dispatch(Stranded job) {
    database
        .sql()
        .sql(
            """
            update job set dispatch_no = :dispatch_no, dispatch_id = :dispatch_id
            where id = :job and tenant_id = :tenant
            """)
        .param("dispatch_no", job.dispatch.number())
        .param("dispatch_id", job.dispatch.id())
        .param("job", job.dispatch.job().value())
        .param("tenant", job.dispatch.tenant().value())
        .update();
    if (job.wakeAt == null) {
      dispatches.create(job.dispatch);
    } else {
      dispatches.createAt(job.dispatch, job.wakeAt);
    }
  }

  private record Stranded(Dispatch dispatch, @Nullable Instant wakeAt) {}
}
