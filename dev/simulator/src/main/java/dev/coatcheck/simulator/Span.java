package dev.coatcheck.simulator;

import java.time.Duration;
import java.util.regex.Pattern;

/** Reads a duration as people write it: {@code 250ms}, {@code 5s}, {@code 2m}. */
final class Span {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})(ms|s|m)");

  private Span() {}

  static Duration parse(String text) {
    var match = FORM.matcher(text);
    if (!match.matches()) {
      throw new IllegalArgumentException("not a duration like 250ms, 5s or 2m: " + text);
    }
    long amount = Long.parseLong(match.group(1));
    return switch (match.group(2)) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      default -> Duration.ofMinutes(amount);
    };
  }
}
