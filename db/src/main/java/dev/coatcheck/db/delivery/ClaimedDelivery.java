package dev.coatcheck.db.delivery;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.webhook.DeliveryId;
import java.time.Instant;
import java.util.Optional;

/**
 * One try of a delivery that is this process's to make.
 *
 * @param number of the try, from 1: the fencing token of its outcome
 * @param failures tries that failed before, since it was made or replayed
 * @param url as it was accepted
 */
public record ClaimedDelivery(
    DeliveryId id, int number, TenantId tenant, int failures, String url, Event event) {
  /**
   * What is to be told.
   *
   * @param id {@code webhook-id}
   * @param output the final message as the provider sent it; none if it is not to go along
   */
  public record Event(
      String id, String type, Instant createdAt, JobId job, Optional<RawJson> output) {}
}
