package dev.coatcheck.db.call;

import dev.coatcheck.db.dispatch.Dispatch;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.tenant.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Sends a job that waits for people on its way, in the transaction of the decision that allows it:
 * its next dispatch is made there, so that a worker has it in milliseconds.
 */
public final class WakeJob {
  private final JdbcClient sql;
  private final TransactionTemplate transaction;
  private final Dispatches dispatches;
  private final Notifier notifier;

  public WakeJob(
      JdbcClient sql, TransactionTemplate transaction, Dispatches dispatches, Notifier notifier) {
    this.sql = sql;
    this.transaction = transaction;
    this.dispatches = dispatches;
    this.notifier = notifier;
  }

  /**
   * Makes a change to a job's calls with the job's row locked, so that a run which is about to wait
   * sees it, and wakes the job if that is now of use.
   *
   * @param change whether anything was changed
   */
  public boolean after(JobId job, TenantId tenant, BooleanSupplier change) {
    Outcome outcome =
        transaction.execute(
            status -> {
              Optional<Locked> locked = lock(job, tenant);
              if (locked.isEmpty() || !change.getAsBoolean()) {
                return Outcome.UNCHANGED;
              }
              return wake(locked.get()) ? Outcome.WOKEN : Outcome.CHANGED;
            });
    if (outcome != Outcome.UNCHANGED) {
      notifier.send(Channel.CHANGED, job);
    }
    if (outcome == Outcome.WOKEN) {
      dispatches.announce(job);
    }
    return outcome != Outcome.UNCHANGED;
  }

  private enum Outcome {
    UNCHANGED,
    CHANGED,
    WOKEN
  }

  private record Locked(
      Dispatch next, JobStatus status, boolean isParked, Optional<String> reason) {}

  private Optional<Locked> lock(JobId job, TenantId tenant) {
    return sql.sql(
            """
            select *, coalesce(wake_at > now(), false) as is_parked from job
            where id = :job and tenant_id = :tenant
            for update
            """)
        .param("job", job.value())
        .param("tenant", tenant.value())
        .query((row, index) -> read(row))
        .optional();
  }

  private static Locked read(ResultSet row) throws SQLException {
    var next =
        new Dispatch(
            new JobId(row.getObject("id", UUID.class)),
            row.getInt("dispatch_no") + 1,
            row.getString("model"),
            row.getString("idempotency_key"),
            new TenantId(row.getString("tenant_id")),
            row.getString("provider"));
    return new Locked(
        next,
        JobStatus.of(row.getString("status")),
        row.getBoolean("is_parked"),
        Optional.ofNullable(row.getString("reason_code")));
  }

  private boolean wake(Locked job) {
    boolean waits =
        job.status() == JobStatus.REQUIRES_ACTION
            || (job.status() == JobStatus.QUEUED && job.isParked());
    if (!waits) {
      return false;
    }
    Left left = left(job);
    boolean isOfUse =
        left.runnable() > 0 || (left.forPeople() == 0 && job.status() == JobStatus.REQUIRES_ACTION);
    if (isOfUse) {
      queue(job);
    } else if (job.status() == JobStatus.REQUIRES_ACTION) {
      sayWhy(job, left);
    }
    return isOfUse;
  }

  /** What of the newest turn's calls is left. */
  private record Left(
      int runnable, int forPeople, Optional<String> reason, Optional<String> names) {}

  private Left left(Locked job) {
    return sql.sql(Waiting.SQL)
        .param("job", job.next().job().value())
        .param("tenant", job.next().tenant().value())
        .query(
            (row, index) ->
                new Left(
                    row.getInt("runnable"),
                    row.getInt("for_people"),
                    Optional.ofNullable(row.getString("reason_code")),
                    Optional.ofNullable(row.getString("names"))))
        .single();
  }

  private void queue(Locked job) {
    sql.sql(
            """
            with moved as (
              update job
              set status = 'queued', wake_at = now(), reason_code = 'ready', reason_detail = null,
                  dispatch_no = :dispatch_no, dispatch_id = :dispatch_id, events = events + 1
              where id = :job and tenant_id = :tenant
              returning id, tenant_id, events)
            insert into event (job_id, number, tenant_id, type, data)
            select id, events, tenant_id, 'job.queued', event_of_status('queued', 'ready', null)
            from moved
            """)
        .param("dispatch_no", job.next().number())
        .param("dispatch_id", job.next().id())
        .param("job", job.next().job().value())
        .param("tenant", job.next().tenant().value())
        .update();
    dispatches.create(job.next());
  }

  /** Whoever is now waited for is told, unless it is who was waited for before. */
  private void sayWhy(Locked job, Left left) {
    sql.sql(
            """
            with asked as (
              update job
              set reason_code = :reason, reason_detail = left(:names, :most), events = events + :news
              where id = :job and tenant_id = :tenant
              returning id, tenant_id, events, reason_code, deadline_at)
            insert into event (job_id, number, tenant_id, type, data)
            select id, events, tenant_id, 'job.requires_action',
              event_of_status('requires_action', reason_code, deadline_at)
            from asked where :news = 1
            """)
        .param("reason", left.reason().orElse(null))
        .param("names", left.names().orElse(null))
        .param("most", Waiting.MAX_NAMES)
        .param("news", left.reason().equals(job.reason()) ? 0 : 1)
        .param("job", job.next().job().value())
        .param("tenant", job.next().tenant().value())
        .update();
  }
}
