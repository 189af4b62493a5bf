package dev.coatcheck.db.intake;

import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.step.EndCalls;
import dev.coatcheck.db.tenant.TenantId;
import java.util.Optional;
import java.util.UUID;

/** Ends an open job because its caller says so, whoever works on it. */
public final class CancelJob {
  private final WebDatabase database;
  private final Dispatches dispatches;
  private final Notifier notifier;
  private final InTime inTime;

  public CancelJob(WebDatabase database, Dispatches dispatches, Notifier notifier, InTime inTime) {
    this.database = database;
    this.dispatches = dispatches;
    this.notifier = notifier;
    this.inTime = inTime;
  }

  /**
   * Cancels the job if it is the tenant's and has not ended. Then nobody starts an attempt for it
   * any more, since its epoch has moved.
   *
   * @throws DatabaseAway when it is not known whether the job was cancelled
   */
  public void cancel(TenantId tenant, JobId id) {
    inTime
        .get(() -> database.transaction().execute(status -> inTransaction(tenant, id)))
        .ifPresent(dispatch -> tell(id, dispatch));
  }

  private Optional<UUID> inTransaction(TenantId tenant, JobId id) {
    if (!isOpen(tenant, id)) {
      return Optional.empty();
    }
    EndCalls.of(database.sql(), id);
    UUID dispatch = end(tenant, id);
    database.probe().reach(Checkpoint.W4_CANCELLED);
    return Optional.of(dispatch);
  }

  /** Locks it, so that what follows sees an attempt that was opened just before. */
  private boolean isOpen(TenantId tenant, JobId id) {
    String sql =
        """
        select id from job
        where tenant_id = :tenant and id = :id
          and status in ('queued', 'in_progress', 'requires_action')
        for no key update
        """;
    return database
        .sql()
        .sql(sql)
        .param("tenant", tenant.value())
        .param("id", id.value())
        .query(UUID.class)
        .optional()
        .isPresent();
  }

  private UUID end(TenantId tenant, JobId id) {
    String sql =
        """
        with closed as (
          update attempt set state = 'indeterminate', billed = 'unknown', ended_at = clock_timestamp()
          where tenant_id = :tenant and job_id = :id and state = 'sending'
          returning number, event_of_attempt(attempt) as shown),
        ended as (
          update job set status = 'cancelled', epoch = epoch + 1, ended_at = clock_timestamp(),
            error_code = 'cancelled', error_message = 'The caller cancelled the job.',
            lease_owner = null, lease_expires_at = null,
            wake_at = null, reason_code = null, reason_detail = null,
            events = events + 1 + (select count(*) from closed)
          where tenant_id = :tenant and id = :id
          returning id, tenant_id, dispatch_id, events),
        told as (
          insert into event (job_id, number, tenant_id, type, data)
          select ended.id, ended.events - row_number() over (order by closed.number desc),
            ended.tenant_id, 'attempt.ended', closed.shown
          from ended cross join closed
          union all
          select id, events, tenant_id, 'job.cancelled', event_of_end('cancelled', 'cancelled')
          from ended)
        select dispatch_id from ended
        """;
    return database
        .sql()
        .sql(sql)
        .param("tenant", tenant.value())
        .param("id", id.value())
        .query(UUID.class)
        .single();
  }

  private void tell(JobId id, UUID dispatch) {
    notifier.send(Channel.CANCELLED, id);
    notifier.send(Channel.CHANGED, id);
    inTime.get(
        () -> {
          dispatches.discard(dispatch);
          return id;
        });
  }
}
