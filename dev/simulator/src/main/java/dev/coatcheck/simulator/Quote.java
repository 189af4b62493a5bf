package dev.coatcheck.simulator;

/** Writes a JSON string. Lone surrogates, which UTF-8 cannot carry, stay lawful as escapes. */
final class Quote {
  private Quote() {}

  static StringBuilder into(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c == '\n') {
        out.append("\\n");
      } else if (c < ' ' || isLone(text, i)) {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"');
  }

  static String of(String text) {
    return into(new StringBuilder(text.length() + 16), text).toString();
  }

  /** Whether the character is half of a pair whose other half is missing. */
  static boolean isLone(String text, int at) {
    char c = text.charAt(at);
    if (Character.isHighSurrogate(c)) {
      return at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1));
    }
    return Character.isLowSurrogate(c)
        && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }
}
