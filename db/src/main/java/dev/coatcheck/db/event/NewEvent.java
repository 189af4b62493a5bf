package dev.coatcheck.db.event;

/**
 * An event to append.
 *
 * @param data a JSON object on one line, since it becomes a line of a stream; U+0000 and lone
 *     surrogates only as escapes, since it goes into a text column
 */
public record NewEvent(EventType type, String data) {
  public NewEvent {
    if (data.indexOf('\n') >= 0 || data.indexOf('\r') >= 0) {
      throw new IllegalArgumentException("an event's data is one line");
    }
  }
}
