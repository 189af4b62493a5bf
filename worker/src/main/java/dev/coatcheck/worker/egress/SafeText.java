package dev.coatcheck.worker.egress;

import java.util.Comparator;
import java.util.List;

/**
 * Makes a stranger's text fit for rows, logs and people: without our secrets, without control
 * characters or half surrogates, and bounded.
 */
public final class SafeText {
  private static final String MASK = "***";

  /** A shorter one would mask ordinary words. */
  private static final int SHORTEST_SECRET = 4;

  /** Only so much is looked at, to bound the work. */
  private static final int READ = 16_384;

  private final List<String> secrets;

  public SafeText(List<Secret> secrets) {
    this.secrets =
        secrets.stream()
            .map(Secret::reveal)
            .filter(secret -> secret.length() >= SHORTEST_SECRET)
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  public String of(String text, int limit) {
    String masked = text;
    for (String secret : secrets) {
      masked = masked.replace(secret, MASK);
    }
    return cut(plain(cut(masked, READ)), limit);
  }

  private static String plain(String text) {
    StringBuilder plain = new StringBuilder(text.length());
    text.codePoints()
        .forEach(
            point -> {
              if (isWhite(point)) {
                plain.append(' ');
              } else {
                plain.appendCodePoint(isUnfit(point) ? 0xFFFD : point);
              }
            });
    return plain.toString().strip();
  }

  private static boolean isWhite(int point) {
    return point == '\n' || point == '\r' || point == '\t';
  }

  /** Controls, halves of a pair, and the marks that turn the direction of text. */
  private static boolean isUnfit(int point) {
    return Character.getType(point) == Character.CONTROL
        || Character.getType(point) == Character.SURROGATE
        || Character.getType(point) == Character.LINE_SEPARATOR
        || Character.getType(point) == Character.PARAGRAPH_SEPARATOR
        || isDirection(point);
  }

  private static boolean isDirection(int point) {
    return (point >= 0x202A && point <= 0x202E)
        || (point >= 0x2066 && point <= 0x2069)
        || point == 0x200E
        || point == 0x200F
        || point == 0x061C;
  }

  private static String cut(String text, int limit) {
    if (text.length() <= limit) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(limit - 1)) ? limit - 1 : limit);
  }
}
