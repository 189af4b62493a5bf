package dev.coatcheck.db.intake;

import dev.coatcheck.db.dispatch.DeliveryDispatch;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.webhook.DeliveryId;

/** Sends a delivery again because its caller says so, whatever became of it before. */
public final class ReplayDelivery {
  private final WebDatabase database;
  private final Dispatches dispatches;
  private final InTime inTime;

  ReplayDelivery(WebDatabase database, Dispatches dispatches, InTime inTime) {
    this.database = database;
    this.dispatches = dispatches;
    this.inTime = inTime;
  }

  /**
   * Puts it at the beginning of its schedule, with a dispatch that is due now. One that is just
   * being sent is left alone.
   *
   * @throws DatabaseAway when it is not known whether it will be sent
   */
  public void replay(TenantId tenant, JobId job, DeliveryId delivery) {
    boolean made =
        inTime.get(
            () -> database.transaction().execute(status -> inTransaction(tenant, job, delivery)));
    if (made) {
      dispatches.announce(job);
    }
  }

  private boolean inTransaction(TenantId tenant, JobId job, DeliveryId delivery) {
    return database
        .sql()
        .sql(
            """
            select type, endpoint, dispatch_no from delivery
            where id = :delivery and tenant_id = :tenant and job_id = :job and dispatch_id is null
            for update
            """)
        .param("delivery", delivery.value())
        .param("tenant", tenant.value())
        .param("job", job.value())
        .query(
            (row, number) ->
                new DeliveryDispatch(
                    delivery,
                    row.getInt("dispatch_no") + 1,
                    tenant,
                    row.getString("type"),
                    row.getString("endpoint")))
        .optional()
        .map(
            dispatch -> {
              reset(dispatch);
              dispatches.createNew(dispatch);
              return true;
            })
        .orElse(false);
  }

  private void reset(DeliveryDispatch dispatch) {
    database
        .sql()
        .sql(
            """
            update delivery
            set state = 'pending', failures = 0, next_at = now(), settled_at = null,
                dispatch_no = :dispatch_no, dispatch_id = :dispatch_id
            where id = :delivery and tenant_id = :tenant
            """)
        .param("dispatch_no", dispatch.number())
        .param("dispatch_id", dispatch.id())
        .param("delivery", dispatch.delivery().value())
        .param("tenant", dispatch.tenant().value())
        .update();
  }
}
