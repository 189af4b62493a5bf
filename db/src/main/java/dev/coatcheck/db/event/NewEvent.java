package dev.coatcheck.db.event;

/**
 * An event to append.
 *
 * @param data a JSON object; U+0000 and lone surrogates only as escapes, since it goes into a text
 *     column
 */
public record NewEvent(EventType type, String data) {}
