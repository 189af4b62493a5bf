package dev.coatcheck.app.api;

import dev.coatcheck.app.json.Rfc3339;
import dev.coatcheck.db.intake.DeliveryView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A webhook's delivery as the API shows it. */
record DeliveryResource(
    String id,
    String eventId,
    String type,
    String url,
    String state,
    @Nullable String nextAt,
    List<Attempt> attempts) {

  record Attempt(String at, @Nullable Integer httpStatus, @Nullable String error) {}

  /** All of a job's. */
  record Page(String object, List<DeliveryResource> data) {
    static Page of(List<DeliveryView> deliveries) {
      return new Page("list", deliveries.stream().map(DeliveryResource::of).toList());
    }
  }

  static DeliveryResource of(DeliveryView delivery) {
    return new DeliveryResource(
        delivery.id().toString(),
        delivery.eventId(),
        delivery.type(),
        delivery.url(),
        delivery.state(),
        Rfc3339.of(delivery.nextAt()),
        delivery.tries().stream()
            .map(
                one ->
                    new Attempt(
                        Rfc3339.of(one.at()),
                        one.httpStatus().orElse(null),
                        one.error().orElse(null)))
            .toList());
  }
}
