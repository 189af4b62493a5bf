package dev.coatcheck.db.delivery;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.webhook.DeliveryId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;

/**
 * Gives a dispatch its delivery, if it is the newest and nobody else is at it, and writes the try
 * down before its socket opens.
 */
public final class ClaimDelivery {
  /** A longer output stays behind: the receiver fetches it. */
  static final int MOST_OUTPUT_BYTES = 20_000;

  private final EngineDatabase database;
  private final Duration lease;

  /**
   * @param lease how long a try may take before it counts as lost
   */
  public ClaimDelivery(EngineDatabase database, Duration lease) {
    this.database = database;
    this.lease = lease;
  }

  /** Empty for an older dispatch, or if the delivery is settled or somebody else's. */
  public Optional<ClaimedDelivery> claim(DeliveryId delivery, int dispatchNo) {
    return database
        .sql()
        .sql(
            """
            with claimed as (
              update delivery
              set tries = tries + 1, claimed_until = now() + :lease_ms * interval '1 millisecond'
              where id = :delivery and dispatch_no = :dispatch and dispatch_id is not null
                and state = 'pending' and (claimed_until is null or claimed_until < now())
              returning *),
            opened as (
              insert into delivery_attempt (delivery_id, number, tenant_id)
              select id, tries, tenant_id from claimed),
            lost as (
              update delivery_attempt set error = :lost
              from claimed
              where delivery_id = claimed.id and delivery_attempt.tenant_id = claimed.tenant_id
                and number = claimed.tries - 1 and http_status is null and error is null)
            select claimed.*, webhook.url,
              case when webhook.include_output and claimed.type in ('job.completed', 'job.incomplete')
                then (
                  select message from (
                    select message from turn
                    where turn.job_id = claimed.job_id and turn.tenant_id = claimed.tenant_id
                    order by number desc limit 1) as last
                  where octet_length(message) <= :most) end as output
            from claimed
            join webhook
              on webhook.job_id = claimed.job_id and webhook.tenant_id = claimed.tenant_id
            """)
        .param("lease_ms", lease.toMillis())
        .param("delivery", delivery.value())
        .param("dispatch", dispatchNo)
        .param("most", MOST_OUTPUT_BYTES)
        .param("lost", ReviveDeliveries.LOST)
        .query((row, number) -> read(row))
        .optional();
  }

  private static ClaimedDelivery read(ResultSet row) throws SQLException {
    byte[] output = row.getBytes("output");
    return new ClaimedDelivery(
        new DeliveryId(row.getObject("id", UUID.class)),
        row.getInt("tries"),
        new TenantId(row.getString("tenant_id")),
        row.getInt("failures"),
        row.getString("url"),
        new ClaimedDelivery.Event(
            row.getString("event_id"),
            row.getString("type"),
            row.getObject("created_at", OffsetDateTime.class).toInstant(),
            new JobId(row.getObject("job_id", UUID.class)),
            Optional.ofNullable(output).map(RawJson::of)));
  }
}
