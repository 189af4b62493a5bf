package dev.coatcheck.db.lease;

import dev.coatcheck.db.dispatch.Dispatch;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.step.EndCalls;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;

/** Ends leases that ran out, by the database's clock: their workers are gone, or too slow. */
public final class ReapLeases {
  /** Reaped in one transaction. */
  static final int BATCH = 100;

  /** How long a job rests after its nth death, so that suspects part company. */
  private static final List<Duration> REST =
      List.of(Duration.ZERO, Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(30));

  private final EngineDatabase database;
  private final Dispatches dispatches;
  private final Notifier notifier;
  private final int maxDeaths;

  public ReapLeases(
      EngineDatabase database, Dispatches dispatches, Notifier notifier, int maxDeaths) {
    this.database = database;
    this.dispatches = dispatches;
    this.notifier = notifier;
    this.maxDeaths = maxDeaths;
  }

  /**
   * Ends up to {@link #BATCH} leases. A job goes back to the queue with its next dispatch; one that
   * has taken too many workers with it fails as poisoned.
   *
   * @return the jobs whose leases were ended
   */
  public List<JobId> reap() {
    List<Expired> expired =
        database
            .transaction()
            .execute(
                status -> {
                  List<Expired> found = find();
                  found.forEach(this::end);
                  reach(found);
                  return found;
                });
    reach(expired);
    List<JobId> jobs = expired.stream().map(job -> job.dispatch.job()).toList();
    jobs.forEach(
        job -> {
          notifier.send(Channel.CHANGED, job);
          dispatches.announce(job);
        });
    return jobs;
  }

  private void reach(List<Expired> some) {
    if (!some.isEmpty()) {
      database.probe().reach(Checkpoint.K18_REAPED);
    }
  }

  /** Lets every lease run out now. For the one process that owns its database alone. */
  public void forfeitAll() {
    database
        .sql()
        .sql("update job set lease_expires_at = now() where status = 'in_progress'")
        .update();
  }

  private List<Expired> find() {
    return database
        .sql()
        .sql(
            """
            select * from job
            where status = 'in_progress' and lease_expires_at <= now()
            order by id limit :batch for update skip locked
            """)
        .param("batch", BATCH)
        .query((row, index) -> new Expired(NextDispatch.read(row), row.getInt("deaths") + 1))
        .list();
  }

  private void end(Expired expired) {
    if (expired.deaths >= maxDeaths) {
      poison(expired);
      EndCalls.of(database.sql(), expired.dispatch.job());
    } else {
      requeue(expired);
    }
  }

  private void poison(Expired expired) {
    database
        .sql()
        .sql(
            """
            with closed as (
              update attempt set state = 'indeterminate', ended_at = now(), billed = 'unknown'
              where job_id = :job and tenant_id = :tenant and state = 'sending'
              returning number, event_of_attempt(attempt) as shown),
            ended as (
              update job
              set status = 'failed', epoch = epoch + 1, lease_owner = null, lease_expires_at = null,
                  deaths = :deaths, ended_at = now(), error_code = 'poisoned',
                  error_message = 'The worker that ran this job was lost ' || :deaths || ' times without a new step',
                  events = events + 1 + (select count(*) from closed)
              where id = :job and tenant_id = :tenant
              returning id, tenant_id, events)
            insert into event (job_id, number, tenant_id, type, data)
            select ended.id, ended.events - row_number() over (order by closed.number desc),
              ended.tenant_id, 'attempt.ended', closed.shown
            from ended cross join closed
            union all
            select id, events, tenant_id, 'job.failed', event_of_end('failed', 'poisoned') from ended
            """)
        .param("deaths", expired.deaths)
        .param("job", expired.dispatch.job().value())
        .param("tenant", expired.dispatch.tenant().value())
        .update();
  }

  private void requeue(Expired expired) {
    Duration rest = REST.get(Math.min(expired.deaths, REST.size()) - 1);
    var wakeAt =
        database
            .sql()
            .sql(
                """
                with closed as (
                  update attempt set state = 'indeterminate', ended_at = now(), billed = 'unknown'
                  where job_id = :job and tenant_id = :tenant and state = 'sending'
                  returning number, event_of_attempt(attempt) as shown),
                requeued as (
                  update job
                  set status = 'queued', epoch = epoch + 1, lease_owner = null, lease_expires_at = null,
                      deaths = :deaths, wake_at = now() + :rest_ms * interval '1 millisecond',
                      reason_code = 'ready', reason_detail = 'the worker that ran it was lost',
                      dispatch_no = :dispatch_no, dispatch_id = :dispatch_id,
                      events = events + 1 + (select count(*) from closed)
                  where id = :job and tenant_id = :tenant
                  returning id, tenant_id, events, wake_at),
                told as (
                  insert into event (job_id, number, tenant_id, type, data)
                  select requeued.id, requeued.events - row_number() over (order by closed.number desc),
                    requeued.tenant_id, 'attempt.ended', closed.shown
                  from requeued cross join closed
                  union all
                  select id, events, tenant_id, 'job.queued', event_of_status('queued', 'ready', nullif(wake_at, now()))
                  from requeued)
                select wake_at from requeued
                """)
            .param("deaths", expired.deaths)
            .param("rest_ms", rest.toMillis())
            .param("dispatch_no", expired.dispatch.number())
            .param("dispatch_id", expired.dispatch.id())
            .param("job", expired.dispatch.job().value())
            .param("tenant", expired.dispatch.tenant().value())
            .query(OffsetDateTime.class)
            .single();
    if (rest.isZero()) {
      dispatches.create(expired.dispatch);
    } else {
      dispatches.createAt(expired.dispatch, wakeAt.toInstant());
    }
  }

  private record Expired(Dispatch dispatch, int deaths) {}
}
