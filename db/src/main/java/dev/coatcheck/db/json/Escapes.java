package dev.coatcheck.db.json;

/** The escapes inside JSON strings. */
final class Escapes {
  private static final int HEX_DIGITS = 4;
  private static final int HEX = 16;

  private Escapes() {}

  /** The characters that a checked string's inside stands for. */
  static String undo(String inside) {
    int next = inside.indexOf('\\');
    if (next < 0) {
      return inside;
    }
    var text = new StringBuilder(inside.length());
    int at = 0;
    while (next >= 0) {
      text.append(inside, at, next);
      char escape = inside.charAt(next + 1);
      at = next + 2;
      if (escape == 'u') {
        text.append((char) Integer.parseInt(inside, at, at + HEX_DIGITS, HEX));
        at += HEX_DIGITS;
      } else {
        text.append(plain(escape));
      }
      next = inside.indexOf('\\', at);
    }
    return text.append(inside, at, inside.length()).toString();
  }

  private static char plain(char escape) {
    return switch (escape) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> escape;
    };
  }
}
