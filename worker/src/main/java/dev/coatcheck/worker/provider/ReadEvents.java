package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Cuts bytes into server-sent events, wherever they come apart: lines end in CR, LF or both; an
 * event's data may have several. Comments, and events without data, never leave it.
 */
final class ReadEvents {
  /** The largest event, and the largest line, that is accepted. */
  static final int MAX_EVENT = 1024 * 1024;

  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

  private final Handler handler;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();
  private final ByteArrayOutputStream data = new ByteArrayOutputStream();
  private String name = "";
  private boolean isFirstLine = true;
  private boolean afterCarriageReturn;
  private boolean hasData;

  /** Is given each event. */
  @FunctionalInterface
  interface Handler {
    /**
     * @param name the event's type; empty if it has none
     */
    void event(String name, Body data);
  }

  /** Whether events are of a bearable size. */
  enum Size {
    GOOD,
    TOO_LARGE
  }

  ReadEvents(Handler handler) {
    this.handler = handler;
  }

  /** Takes the next bytes; after too large an event no more. */
  Size take(byte[] bytes, int length) {
    int from = 0;
    if (afterCarriageReturn && length > 0) {
      from = bytes[0] == '\n' ? 1 : 0;
      afterCarriageReturn = false;
    }
    for (int at = from; at < length; at++) {
      if (bytes[at] == '\n' || bytes[at] == '\r') {
        line.write(bytes, from, at - from);
        if (isTooLarge()) {
          return Size.TOO_LARGE;
        }
        endLine();
        at = pastLineEnd(bytes, at, length);
        from = at + 1;
      }
    }
    line.write(bytes, from, length - from);
    return isTooLarge() ? Size.TOO_LARGE : Size.GOOD;
  }

  private int pastLineEnd(byte[] bytes, int at, int length) {
    if (bytes[at] != '\r') {
      return at;
    }
    afterCarriageReturn = at + 1 == length;
    return at + 1 < length && bytes[at + 1] == '\n' ? at + 1 : at;
  }

  private boolean isTooLarge() {
    return line.size() + data.size() > MAX_EVENT;
  }

  /** Nothing more comes: what is there of a last event is given, though it may be half of one. */
  void end() {
    if (line.size() > 0) {
      endLine();
    }
    endEvent();
  }

  private void endLine() {
    byte[] bytes = line.toByteArray();
    line.reset();
    Body text = Body.of(bytes);
    if (isFirstLine && startsWith(text, BYTE_ORDER_MARK)) {
      text = text.slice(BYTE_ORDER_MARK.length, text.length());
    }
    isFirstLine = false;
    if (text.length() == 0) {
      endEvent();
    } else {
      field(text);
    }
  }

  private void field(Body text) {
    int colon = 0;
    while (colon < text.length() && text.at(colon) != ':') {
      colon++;
    }
    int from = Math.min(colon + 1, text.length());
    if (from < text.length() && text.at(from) == ' ') {
      from++;
    }
    Body value = text.slice(from, text.length());
    switch (text.slice(0, colon).text()) {
      case "data" -> addData(value);
      case "event" -> name = value.text();
      default -> {}
    }
  }

  private void addData(Body value) {
    if (hasData) {
      data.write('\n');
    }
    hasData = true;
    data.writeBytes(value.toBytes());
  }

  private void endEvent() {
    if (data.size() > 0) {
      Body whole = Body.of(data.toByteArray());
      if (!isBlank(whole)) {
        handler.event(name, whole);
      }
    }
    data.reset();
    hasData = false;
    name = "";
  }

  private static boolean isBlank(Body body) {
    return body.length() < 64 && body.text().isBlank();
  }

  private static boolean startsWith(Body body, byte[] start) {
    return body.length() >= start.length
        && new String(body.slice(0, start.length).toBytes(), StandardCharsets.ISO_8859_1)
            .equals(new String(start, StandardCharsets.ISO_8859_1));
  }
}
