package dev.coatcheck.db.lease;

import dev.coatcheck.db.dispatch.Dispatch;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.Budget;
import dev.coatcheck.db.job.Epoch;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.tenant.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Gives a dispatch its job, if it is the newest and the job is queued and due, and opens the job's
 * next attempt in the same statement: most runs send at once. Where tools are to be run first, none
 * is opened.
 */
public final class AcquireJob {
  private final EngineDatabase database;
  private final Dispatches dispatches;
  private final Notifier notifier;
  private final Terms terms;

  public AcquireJob(
      EngineDatabase database, Dispatches dispatches, Notifier notifier, Terms terms) {
    this.database = database;
    this.dispatches = dispatches;
    this.notifier = notifier;
    this.terms = terms;
  }

  /**
   * @param lease how long a lease runs
   * @param gated providers whose calls may have to wait for others: no attempt is opened for them
   */
  public record Terms(WorkerId worker, Duration lease, Set<String> gated) {
    public Terms {
      gated = Set.copyOf(gated);
    }
  }

  public Acquisition acquire(JobId job, int dispatchNo) {
    Optional<LeasedJob> taken = take(job, dispatchNo);
    if (taken.isEmpty()) {
      putBackIfEarly(job, dispatchNo);
    } else {
      notifier.send(Channel.APPENDED, job);
    }
    return taken.<Acquisition>map(Acquisition.Acquired::new).orElseGet(Acquisition.NotOurs::new);
  }

  private Optional<LeasedJob> take(JobId job, int dispatchNo) {
    return database
        .sql()
        .sql(
            """
            with progress as (
              select job.id, job.tenant_id, turns.newest as turns, attempts.newest as attempts,
                job.provider <> all (string_to_array(:gated, ','))
                  and job.max_attempts > (
                    select count(*) from attempt
                    where attempt.job_id = job.id and attempt.tenant_id = job.tenant_id
                      and attempt.turn = turns.newest + 1 and attempt.counted)
                  and (turns.newest = 0 or not exists (
                    select from tool_call
                    where tool_call.job_id = job.id and tool_call.tenant_id = job.tenant_id
                      and tool_call.turn = turns.newest
                      and tool_call.state not in ('done', 'failed', 'denied', 'not_run'))) as opens
              from job
              cross join lateral (
                select coalesce(max(number), 0) as newest from turn
                where turn.job_id = job.id and turn.tenant_id = job.tenant_id) as turns
              cross join lateral (
                select coalesce(max(number), 0) as newest from attempt
                where attempt.job_id = job.id and attempt.tenant_id = job.tenant_id) as attempts
              where job.id = :job),
            taken as (
              update job
              set status = 'in_progress', epoch = epoch + 1, lease_owner = :worker,
                  lease_expires_at = now() + :lease_ms * interval '1 millisecond',
                  started_at = coalesce(started_at, now()),
                  reason_code = null, reason_detail = null,
                  events = events + case when progress.opens then 2 else 1 end
              from progress
              where job.id = progress.id and job.tenant_id = progress.tenant_id
                and dispatch_no = :dispatch and status = 'queued'
                and (wake_at is null or wake_at <= now()) and deadline_at > now()
              returning job.*, progress.turns, progress.attempts, progress.opens),
            opened as (
              insert into attempt (job_id, number, tenant_id, turn, epoch, state)
              select id, attempts + 1, tenant_id, turns + 1, epoch, 'sending' from taken
              where opens
              returning event_of_attempt(attempt) as shown),
            told as (
              insert into event (job_id, number, tenant_id, type, data)
              select id, case when opens then events - 1 else events end, tenant_id,
                'job.in_progress', event_of_status('in_progress', null, null)
              from taken
              union all
              select id, events, tenant_id, 'attempt.started', shown from taken cross join opened)
            select taken.*, request.body,
              extract(epoch from taken.deadline_at - now()) * 1000 as until_deadline_ms,
              extract(epoch from now() - coalesce(taken.wake_at, taken.created_at)) * 1000
                as since_ready_ms
            from taken
            join job_request request
              on request.job_id = taken.id and request.tenant_id = taken.tenant_id
            """)
        .param("worker", terms.worker.value())
        .param("lease_ms", terms.lease.toMillis())
        .param("gated", String.join(",", terms.gated))
        .param("job", job.value())
        .param("dispatch", dispatchNo)
        .query((row, number) -> read(row))
        .optional();
  }

  private static LeasedJob read(ResultSet row) throws SQLException {
    var job = new JobId(row.getObject("id", UUID.class));
    var tenant = new TenantId(row.getString("tenant_id"));
    return new LeasedJob(
        new Lease(job, tenant, new Epoch(row.getLong("epoch"))),
        row.getInt("dispatch_no"),
        row.getString("idempotency_key"),
        row.getString("model"),
        row.getString("provider"),
        row.getString("provider_model"),
        new Budget(
            row.getInt("max_attempts"),
            row.getInt("max_turns"),
            Duration.ofMillis(row.getLong("max_wait_ms")),
            Duration.ofMillis(row.getLong("attempt_timeout_ms"))),
        new LeasedJob.Clock(
            Duration.ofMillis(row.getLong("since_ready_ms")),
            Duration.ofMillis(row.getLong("until_deadline_ms"))),
        new LeasedJob.Progress(
            row.getInt("turns"), row.getInt("attempts"), row.getBoolean("opens")),
        row.getBytes("body"));
  }

  /** Somebody requeued the dispatch by hand: the job keeps its time, on the next dispatch. */
  private void putBackIfEarly(JobId job, int dispatchNo) {
    database
        .transaction()
        .executeWithoutResult(
            status ->
                database
                    .sql()
                    .sql(
                        """
                        update job set dispatch_no = dispatch_no + 1, dispatch_id = :next
                        where id = :job and dispatch_no = :dispatch and status = 'queued'
                          and wake_at > now() and deadline_at > now()
                        returning model, idempotency_key, tenant_id, provider, wake_at
                        """)
                    .param("next", Dispatch.idOf(job, dispatchNo + 1))
                    .param("job", job.value())
                    .param("dispatch", dispatchNo)
                    .query((row, number) -> early(job, dispatchNo + 1, row))
                    .optional()
                    .ifPresent(early -> dispatches.createAt(early.dispatch, early.wakeAt)));
  }

  private static Early early(JobId job, int number, ResultSet row) throws SQLException {
    var dispatch =
        new Dispatch(
            job,
            number,
            row.getString("model"),
            row.getString("idempotency_key"),
            new TenantId(row.getString("tenant_id")),
            row.getString("provider"));
    return new Early(dispatch, row.getObject("wake_at", OffsetDateTime.class).toInstant());
  }

  private record Early(Dispatch dispatch, Instant wakeAt) {}
}
