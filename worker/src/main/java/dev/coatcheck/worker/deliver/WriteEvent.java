package dev.coatcheck.worker.deliver;

import dev.coatcheck.db.delivery.ClaimedDelivery;
import dev.coatcheck.db.json.RawJson;

/**
 * Writes an event's body. All of it is ours, but the output, which goes as the provider spelt it.
 */
final class WriteEvent {
  private WriteEvent() {}

  static String of(ClaimedDelivery.Event event) {
    String output =
        event.output().map(RawJson::spelling).map(raw -> ",\"output\":" + raw).orElse("");
    return """
    {"id":"%s","object":"event","type":"%s","created_at":%d,"data":{"id":"%s"%s}}"""
        .formatted(
            event.id(), event.type(), event.createdAt().getEpochSecond(), event.job(), output);
  }
}
