package dev.coatcheck.db.json;

/** A cursor over checked JSON: it relies on the bytes being well-formed. */
final class Scan {
  private final byte[] bytes;
  private int at;

  Scan(byte[] bytes, int from) {
    this.bytes = bytes;
    this.at = from;
  }

  /** Moves to the next byte that is no white space. */
  int skipSpace() {
    while (at < bytes.length && bytes[at] <= ' ' && bytes[at] >= 0) {
      at++;
    }
    return at;
  }

  /** Moves behind the value that begins here. */
  int skipValue() {
    switch (bytes[at]) {
      case '"' -> skipString();
      case '{', '[' -> skipContainer();
      default -> skipScalar();
    }
    return at;
  }

  /** Whether a member or element comes before the closing bracket; moves past commas. */
  boolean moreBefore(char close) {
    skipSpace();
    if (bytes[at] == ',') {
      at++;
      skipSpace();
    }
    return bytes[at] != close;
  }

  /** Moves behind that character, which comes next. */
  void pass(char expected) {
    skipSpace();
    if (bytes[at] != expected) {
      throw new IllegalStateException("the JSON was not checked");
    }
    at++;
  }

  private void skipString() {
    at++;
    while (bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    at++;
  }

  private void skipContainer() {
    int depth = 0;
    do {
      switch (bytes[at]) {
        case '"' -> skipString();
        case '{', '[' -> {
          depth++;
          at++;
        }
        case '}', ']' -> {
          depth--;
          at++;
        }
        default -> at++;
      }
    } while (depth > 0);
  }

  private void skipScalar() {
    while (at < bytes.length && isScalar(bytes[at])) {
      at++;
    }
  }

  private static boolean isScalar(byte b) {
    return b > ' ' && b != ',' && b != '}' && b != ']';
  }
}
