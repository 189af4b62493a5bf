package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Writes a JSON object or array of pieces that are JSON already, byte for byte. */
final class SpliceJson {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  private final char open;
  private final char close;

  private SpliceJson(char open, char close) {
    this.open = open;
    this.close = close;
    out.write(open);
  }

  static SpliceJson object() {
    return new SpliceJson('{', '}');
  }

  static SpliceJson array() {
    return new SpliceJson('[', ']');
  }

  SpliceJson member(String name, Body value) {
    separate();
    write(Json.string(name));
    out.write(':');
    write(value);
    return this;
  }

  SpliceJson element(Body value) {
    separate();
    write(value);
    return this;
  }

  /** Every member of another object, as it is spelled there. */
  SpliceJson membersOf(Body object) {
    return insideOf(object);
  }

  /** Every element of another array, as it is spelled there. */
  SpliceJson elementsOf(Body array) {
    return insideOf(array);
  }

  private SpliceJson insideOf(Body other) {
    int from = skipWhite(other, 0, 1);
    int to = skipWhite(other, other.length() - 1, -1);
    if (from >= to || other.at(from) != open || other.at(to) != close) {
      throw new IllegalArgumentException("only what is of the same kind is taken in");
    }
    Body inside = other.slice(from + 1, to);
    if (skipWhite(inside, 0, 1) < inside.length()) {
      separate();
      write(inside);
    }
    return this;
  }

  Body end() {
    out.write(close);
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
