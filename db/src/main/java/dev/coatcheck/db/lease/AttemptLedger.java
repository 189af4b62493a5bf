package dev.coatcheck.db.lease;

import dev.coatcheck.db.attempt.AttemptEnd;
import dev.coatcheck.db.attempt.PastAttempt;
import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.pool.EngineDatabase;
import java.time.Duration;
import java.util.List;

/** The attempts of a job in progress: opened before the socket is, closed after. */
public final class AttemptLedger {
  private final EngineDatabase database;
  private final Notifier notifier;

  public AttemptLedger(EngineDatabase database, Notifier notifier) {
    this.database = database;
    this.notifier = notifier;
  }

  /**
   * Records an attempt as being sent. Commit comes before the socket opens. The job's row is locked
   * against a cancel at the same moment, which would otherwise not see this attempt. A call that
   * overtakes an earlier one of its own, whose answer was lost, tells it twice rather than leave a
   * gap in the sequence.
   */
  @Fenced
  public Written open(Lease lease, int turn, int number) {
    int rows =
        database
            .sql()
            .sql(
                """
                with raised as (
                  update job set events = events + 1
                  where id = :job and tenant_id = :tenant and epoch = :epoch and status = 'in_progress'
                    and not exists (
                      select from attempt
                      where attempt.job_id = job.id and attempt.tenant_id = job.tenant_id
                        and attempt.number = :number)
                  returning id, tenant_id, epoch, events),
                opened as (
                  insert into attempt (job_id, number, tenant_id, turn, epoch, state)
                  select id, :number, tenant_id, :turn, epoch, 'sending' from raised
                  on conflict (job_id, number) do update set state = attempt.state
                  returning event_of_attempt(attempt) as shown)
                insert into event (job_id, number, tenant_id, type, data)
                select id, events, tenant_id, 'attempt.started', shown
                from raised cross join opened
                """)
            .param("number", number)
            .param("turn", turn)
            .param("job", lease.job().value())
            .param("tenant", lease.tenant().value())
            .param("epoch", lease.epoch().value())
            .update();
    if (rows == 1) {
      notifier.send(Channel.APPENDED, lease.job());
    }
    return rows == 1 || isOpen(lease, number) ? Written.YES : Written.LEASE_LOST;
  }

  private boolean isOpen(Lease lease, int number) {
    return database
        .sql()
        .sql(
            """
            select count(*) from attempt join job on job.id = attempt.job_id and job.epoch = attempt.epoch
            where attempt.job_id = :job and attempt.tenant_id = :tenant and attempt.number = :number
              and attempt.epoch = :epoch and attempt.state = 'sending' and job.status = 'in_progress'
            """)
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .param("number", number)
        .param("epoch", lease.epoch().value())
        .query(Boolean.class)
        .single();
  }

  /** Closes a failed attempt whose job asks again after a pause in place. */
  @Fenced
  public Written pause(Lease lease, AttemptEnd end, Duration wait) {
    int rows =
        database
            .sql()
            .sql(
                """
                with raised as (
                  update job set events = events + 2
                  where id = :job and tenant_id = :tenant and epoch = :epoch and status = 'in_progress'
                    and exists (
                      select from attempt
                      where attempt.job_id = job.id and attempt.tenant_id = job.tenant_id
                        and attempt.number = :number and attempt.epoch = :epoch
                        and attempt.state = 'sending')
                  returning id, tenant_id, events),
                paused as (
                  update attempt
                  set state = :state, ended_at = now(), http_status = :http_status, error_code = :error_code,
                      provider_code = :provider_code, retry_after_ms = :retry_after_ms,
                      wait_ms = :wait_ms, wait_until = now() + :wait_ms * interval '1 millisecond',
                      billed = :billed, provider_request_id = :request_id, response_bytes = :bytes,
                      duration_ms = :duration_ms
                  from raised
                  where attempt.job_id = raised.id and attempt.tenant_id = raised.tenant_id
                    and attempt.number = :number and attempt.epoch = :epoch
                  returning attempt.wait_until, attempt.error_code, event_of_attempt(attempt) as shown)
                insert into event (job_id, number, tenant_id, type, data)
                select id, events - 1, tenant_id, 'attempt.ended', shown
                from raised cross join paused
                union all
                select id, events, tenant_id, 'job.waiting',
                  event_of_status('in_progress',
                    case when error_code = 'rate_limited' then 'rate_limited' else 'backoff' end,
                    wait_until)
                from raised cross join paused
                """)
            .paramSource(new AttemptParameters(lease, end).with("wait_ms", wait.toMillis()))
            .update();
    if (rows > 0) {
      notifier.send(Channel.APPENDED, lease.job());
    }
    return rows > 0 || isPaused(lease, end.number()) ? Written.YES : Written.LEASE_LOST;
  }

  private boolean isPaused(Lease lease, int number) {
    return database
        .sql()
        .sql(
            """
            select count(*) from attempt join job on job.id = attempt.job_id and job.epoch = attempt.epoch
            where attempt.job_id = :job and attempt.tenant_id = :tenant and attempt.number = :number
              and attempt.epoch = :epoch and attempt.wait_until is not null and job.status = 'in_progress'
            """)
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .param("number", number)
        .param("epoch", lease.epoch().value())
        .query(Boolean.class)
        .single();
  }

  /** The attempts of a turn that are over and count, oldest first. */
  public List<PastAttempt> past(Lease lease, int turn) {
    return database
        .sql()
        .sql(
            """
            select error_code, provider_code from attempt
            where job_id = :job and tenant_id = :tenant and turn = :turn and counted
              and state <> 'sending'
            order by number
            """)
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .param("turn", turn)
        .query((row, index) -> new PastAttempt(row.getString(1), row.getString(2)))
        .list();
  }
}
