package dev.coatcheck.db.dispatch;

import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.webhook.DeliveryId;
import java.util.List;
import java.util.UUID;

/**
 * A wake-up call for a delivery, and what the dashboard shows of it.
 *
 * @param number from 1; a delivery is sent only on its newest dispatch
 * @param type of the event
 * @param endpoint host and port
 */
public record DeliveryDispatch(
    DeliveryId delivery, int number, TenantId tenant, String type, String endpoint) {

  /** The dispatch's id in JobRunr: made twice, it is one. */
  public UUID id() {
    return idOf(delivery, number);
  }

  /** The id of a delivery's nth dispatch. */
  public static UUID idOf(DeliveryId delivery, int number) {
    return Dispatch.hashed(delivery.value(), number);
  }

  String name() {
    String host = endpoint.substring(0, endpoint.lastIndexOf(':'));
    return Dispatch.cut("webhook · " + type + " · " + host, Dispatch.MAX_NAME);
  }

  List<String> labels() {
    return List.of(Dispatch.cut(tenant.value(), Dispatch.MAX_LABEL), "webhook", "wake " + number);
  }
}
