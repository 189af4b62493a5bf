package dev.coatcheck.db.intake;

import dev.coatcheck.db.webhook.DeliveryId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A delivery as it stands.
 *
 * @param eventId {@code webhook-id}
 * @param nextAt when it is sent next; none once it is settled
 * @param tries the oldest first
 */
public record DeliveryView(
    DeliveryId id,
    String eventId,
    String type,
    String url,
    String state,
    Optional<Instant> nextAt,
    List<Try> tries) {
  public DeliveryView {
    tries = List.copyOf(tries);
  }

  /** One HTTP request, or what kept it from being made. */
  public record Try(Instant at, Optional<Integer> httpStatus, Optional<String> error) {}
}
