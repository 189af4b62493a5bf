package dev.coatcheck.worker.retry;

import java.math.BigDecimal;
import java.time.Duration;

/** Words for people. */
final class Text {
  private Text() {}

  /** {@code 30 s}, {@code 0.12 s}, {@code 86400 s}. */
  static String of(Duration length) {
    BigDecimal seconds =
        BigDecimal.valueOf(length.getSeconds())
            .add(BigDecimal.valueOf(length.getNano() / 1_000_000, 3));
    return seconds.stripTrailingZeros().toPlainString() + " s";
  }

  /** Cuts a text without cutting a character in two. */
  static String cut(String text, int limit) {
    if (text.length() <= limit) {
      return text;
    }
    int end = Character.isHighSurrogate(text.charAt(limit - 1)) ? limit - 1 : limit;
    return text.substring(0, end);
  }
}
