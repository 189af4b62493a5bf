package dev.coatcheck.db.intake;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.webhook.DeliveryId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Reads what became of a job's webhook. */
public final class FindDeliveries {
  /** Tries shown in all; the newest ones. */
  static final int MAX_TRIES = 1_000;

  private final WebDatabase database;
  private final InTime inTime;

  FindDeliveries(WebDatabase database, InTime inTime) {
    this.database = database;
    this.inTime = inTime;
  }

  /**
   * The job's deliveries, the oldest first; empty if the tenant has no such job.
   *
   * @throws DatabaseAway when nothing could be read
   */
  public Optional<List<DeliveryView>> find(TenantId tenant, JobId job) {
    return inTime.get(
        () -> exists(tenant, job) ? Optional.of(select(tenant, job)) : Optional.empty());
  }

  private boolean exists(TenantId tenant, JobId job) {
    return database
        .sql()
        .sql("select exists (select from job where tenant_id = :tenant and id = :job)")
        .param("tenant", tenant.value())
        .param("job", job.value())
        .query(Boolean.class)
        .single();
  }

  private List<DeliveryView> select(TenantId tenant, JobId job) {
    Map<UUID, List<DeliveryView.Try>> tries = tries(tenant, job);
    return database
        .sql()
        .sql(
            """
            select delivery.*, webhook.url from delivery
            join webhook
              on webhook.job_id = delivery.job_id and webhook.tenant_id = delivery.tenant_id
            where delivery.tenant_id = :tenant and delivery.job_id = :job
            order by delivery.created_at, delivery.id
            """)
        .param("tenant", tenant.value())
        .param("job", job.value())
        .query((row, number) -> read(row, tries))
        .list();
  }

  private Map<UUID, List<DeliveryView.Try>> tries(TenantId tenant, JobId job) {
    var tries = new LinkedHashMap<UUID, List<DeliveryView.Try>>();
    database
        .sql()
        .sql(
            """
            select * from (
              select tried.* from delivery_attempt tried
              join delivery on delivery.id = tried.delivery_id and delivery.tenant_id = :tenant
              where delivery.job_id = :job and tried.tenant_id = :tenant
              order by tried.at desc limit :most) as newest
            order by delivery_id, number
            """)
        .param("tenant", tenant.value())
        .param("job", job.value())
        .param("most", MAX_TRIES)
        .query(
            (row, number) ->
                tries
                    .computeIfAbsent(
                        row.getObject("delivery_id", UUID.class), id -> new ArrayList<>())
                    .add(attempt(row)))
        .list();
    return tries;
  }

  private static DeliveryView.Try attempt(ResultSet row) throws SQLException {
    return new DeliveryView.Try(
        row.getObject("at", OffsetDateTime.class).toInstant(),
        Optional.ofNullable(row.getObject("http_status", Integer.class)),
        Optional.ofNullable(row.getString("error")));
  }

  private static DeliveryView read(ResultSet row, Map<UUID, List<DeliveryView.Try>> tries)
      throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    return new DeliveryView(
        new DeliveryId(id),
        row.getString("event_id"),
        row.getString("type"),
        row.getString("url"),
        row.getString("state"),
        Optional.ofNullable(row.getObject("next_at", OffsetDateTime.class))
            .map(OffsetDateTime::toInstant),
        tries.getOrDefault(id, List.of()));
  }
}
