package dev.coatcheck.db.delivery;

import dev.coatcheck.db.pool.EngineDatabase;

/** Frees deliveries whose try was lost with its worker, or whose dispatch will wake nobody. */
public final class ReviveDeliveries {
  /** Freed in one statement. */
  static final int BATCH = 100;

  /** What is noted of a try whose end nobody saw. */
  static final String LOST = "the worker that sent it was lost before it knew what came of it";

  private final EngineDatabase database;

  public ReviveDeliveries(EngineDatabase database) {
    this.database = database;
  }

  /**
   * Frees up to {@link #BATCH} deliveries; they are sent again at once, under the same id. A
   * dispatch that was claimed is given 10 s to claim its delivery.
   *
   * @return how many
   */
  public int revive() {
    return database
        .sql()
        .sql(
            """
            with lost as (
              select delivery.id, delivery.tenant_id, delivery.tries from delivery
              left join jobrunr_jobs dispatch on dispatch.id = delivery.dispatch_id::text::char(36)
              where delivery.dispatch_id is not null
                and (delivery.claimed_until < now()
                  or delivery.claimed_until is null
                    and (dispatch.id is null
                      or dispatch.state in ('SUCCEEDED', 'FAILED', 'DELETED')
                      or (dispatch.state = 'PROCESSING'
                        and dispatch.updatedAt < (now() at time zone 'UTC') - interval '10 seconds')))
              order by delivery.id limit :batch for update of delivery skip locked),
            noted as (
              update delivery_attempt
              set error = :lost
              from lost
              where delivery_attempt.delivery_id = lost.id
                and delivery_attempt.tenant_id = lost.tenant_id
                and delivery_attempt.number = lost.tries
                and delivery_attempt.http_status is null and delivery_attempt.error is null),
            freed as (
              update delivery set dispatch_id = null, claimed_until = null, next_at = now()
              from lost
              where delivery.id = lost.id and delivery.tenant_id = lost.tenant_id
              returning delivery.id)
            select count(*) from freed
            """)
        .param("lost", LOST)
        .param("batch", BATCH)
        .query(Integer.class)
        .single();
  }
}
