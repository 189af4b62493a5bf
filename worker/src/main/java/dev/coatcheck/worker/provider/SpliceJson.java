package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes a JSON object of pieces that are JSON already, byte for byte. */
final class SpliceJson {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  SpliceJson() {
    out.write('{');
  }

  SpliceJson member(String name, Body value) {
    separate();
    write(Json.string(name));
    out.write(':');
    write(value);
    return this;
  }

  /** Every member of another object, as it is spelled there. */
  SpliceJson membersOf(Body object) {
    int from = skipWhite(object, 0, 1);
    int to = skipWhite(object, object.length() - 1, -1);
    if (from >= to || object.at(from) != '{' || object.at(to) != '}') {
      throw new IllegalArgumentException("params is a JSON object");
    }
    Body members = object.slice(from + 1, to);
    if (skipWhite(members, 0, 1) < members.length()) {
      separate();
      write(members);
    }
    return this;
  }

  Body end() {
    out.write('}');
    return Body.of(out.toByteArray());
  }

  private void separate() {
    if (out.size() > 1) {
      out.write(',');
    }
  }

  private void write(Body piece) {
    try {
      piece.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int skipWhite(Body json, int from, int step) {
    int at = from;
    while (at >= 0 && at < json.length() && isWhite(json.at(at))) {
      at += step;
    }
    return at;
  }

  private static boolean isWhite(byte b) {
    return b == ' ' || b == '\n' || b == '\r' || b == '\t';
  }
}
