package dev.coatcheck.app.event;

import dev.coatcheck.app.json.Rfc3339;
import dev.coatcheck.db.intake.JobEvent;
import java.nio.charset.StandardCharsets;

/** An event as a stream carries it. */
final class EventText {
  private static final String EMPTY = "{}";

  private EventText() {}

  static byte[] of(JobEvent event) {
    String rest = event.data().equals(EMPTY) ? "}" : "," + event.data().substring(1);
    return """
        id: %1$d
        event: %2$s
        data: {"type":"%2$s","sequence_number":%1$d,"created_at":"%3$s"%4$s

        """
        .formatted(event.number(), event.type(), Rfc3339.of(event.created()), rest)
        .getBytes(StandardCharsets.UTF_8);
  }
}
