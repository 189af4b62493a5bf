package dev.coatcheck.db.intake;

import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.tenant.TenantId;
import java.util.Optional;
import java.util.UUID;

/** Ends an open job because its caller says so, whoever works on it. */
public final class CancelJob {
  private final WebDatabase database;
  private final Dispatches dispatches;
  private final Notifier notifier;
  private final InTime inTime;

  CancelJob(WebDatabase database, Dispatches dispatches, Notifier notifier, InTime inTime) {
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
    Optional<UUID> dispatch = end(tenant, id);
    if (dispatch.isPresent()) {
      endAttempts(tenant, id);
    }
    return dispatch;
  }

  private Optional<UUID> end(TenantId tenant, JobId id) {
    String sql =
        """
        update job set status = 'cancelled', epoch = epoch + 1, ended_at = clock_timestamp(),
          error_code = 'cancelled', error_message = 'The caller cancelled the job.',
          lease_owner = null, lease_expires_at = null,
          wake_at = null, reason_code = null, reason_detail = null
        where tenant_id = :tenant and id = :id
          and status in ('queued', 'in_progress', 'requires_action')
        returning dispatch_id
        """;
    return database
        .sql()
        .sql(sql)
        .param("tenant", tenant.value())
        .param("id", id.value())
        .query(UUID.class)
        .optional();
  }

  private void endAttempts(TenantId tenant, JobId id) {
    String sql =
        """
        update attempt set state = 'indeterminate', billed = 'unknown', ended_at = clock_timestamp()
        where tenant_id = :tenant and job_id = :id and state = 'sending'
        """;
    database.sql().sql(sql).param("tenant", tenant.value()).param("id", id.value()).update();
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
