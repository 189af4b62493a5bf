package dev.coatcheck.db.delivery;

import dev.coatcheck.db.dispatch.DeliveryDispatch;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.webhook.DeliveryId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * Gives deliveries that are due a dispatch, so many of one endpoint at once: one that hangs keeps
 * its own waiting and nobody else's. What waits is rows of ours, never dispatches.
 */
public final class DispatchDeliveries {
  /** Of one endpoint under way at once, over all workers. */
  public static final int PER_ENDPOINT = 10;

  /** Dispatched in one transaction. */
  static final int BATCH = 100;

  /** Any number, the same in every worker: one of them decides at a time. */
  private static final long LOCK = 0x636f617464656cL;

  private final EngineDatabase database;
  private final Dispatches dispatches;

  public DispatchDeliveries(EngineDatabase database, Dispatches dispatches) {
    this.database = database;
    this.dispatches = dispatches;
  }

  /**
   * Dispatches up to {@link #BATCH} deliveries.
   *
   * @return how many; none as well while another worker is at it
   */
  public int dispatch() {
    List<Due> made =
        database
            .transaction()
            .execute(
                status -> {
                  List<Due> due = isAlone() ? find() : List.of();
                  due.forEach(this::make);
                  return due;
                });
    made.stream().map(Due::job).distinct().forEach(dispatches::announce);
    return made.size();
  }

  /** Whether there is anything that may have to be sent before long. */
  public boolean isAnyExpected() {
    return database
        .sql()
        .sql(
            """
            select exists (
                select from job
                where has_webhook and status in ('queued', 'in_progress', 'requires_action'))
              or exists (select from delivery where state = 'pending' and dispatch_id is null)
            """)
        .query(Boolean.class)
        .single();
  }

  private boolean isAlone() {
    return database
        .sql()
        .sql("select pg_try_advisory_xact_lock(:lock)")
        .param("lock", LOCK)
        .query(Boolean.class)
        .single();
  }

  /** Steps from endpoint to endpoint by the index, however much one of them has waiting. */
  private List<Due> find() {
    return database
        .sql()
        .sql(
            """
            with recursive waiting as (
              (select endpoint from delivery
               where state = 'pending' and dispatch_id is null order by endpoint limit 1)
              union all
              select (
                select next.endpoint from delivery next
                where next.state = 'pending' and next.dispatch_id is null
                  and next.endpoint > waiting.endpoint
                order by next.endpoint limit 1)
              from waiting where waiting.endpoint is not null)
            select due.* from waiting
            cross join lateral (
              select count(*) as count from delivery sent
              where sent.endpoint = waiting.endpoint and sent.dispatch_id is not null) as under_way
            cross join lateral (
              select id, job_id, tenant_id, type, endpoint, dispatch_no from delivery
              where state = 'pending' and dispatch_id is null
                and endpoint = waiting.endpoint and next_at <= now()
              order by next_at limit greatest(0, :per_endpoint - under_way.count)) as due
            limit :batch
            """)
        .param("per_endpoint", PER_ENDPOINT)
        .param("batch", BATCH)
        .query((row, number) -> read(row))
        .list();
  }

  private static Due read(ResultSet row) throws SQLException {
    return new Due(
        new JobId(row.getObject("job_id", UUID.class)),
        new DeliveryDispatch(
            new DeliveryId(row.getObject("id", UUID.class)),
            row.getInt("dispatch_no") + 1,
            new TenantId(row.getString("tenant_id")),
            row.getString("type"),
            row.getString("endpoint")));
  }

  private void make(Due due) {
    DeliveryDispatch dispatch = due.dispatch;
    int updated =
        database
            .sql()
            .sql(
                """
                update delivery set dispatch_no = :dispatch_no, dispatch_id = :dispatch_id
                where id = :delivery and tenant_id = :tenant
                  and state = 'pending' and dispatch_id is null and dispatch_no = :dispatch_no - 1
                """)
            .param("dispatch_no", dispatch.number())
            .param("dispatch_id", dispatch.id())
            .param("delivery", dispatch.delivery().value())
            .param("tenant", dispatch.tenant().value())
            .update();
    if (updated == 1) {
      dispatches.createNew(dispatch);
    }
  }

  private record Due(JobId job, DeliveryDispatch dispatch) {}
}
