package dev.coatcheck.worker.retry;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The structured {@code RateLimit} field of the IETF draft: {@code "default";r=0;t=50}. Malformed,
 * it is ignored as a whole; of its limits only those with nothing remaining say when to come back.
 */
final class RateLimitField {
  private static final int MAX_LENGTH = 2_000;
  private static final String PARAMETER = ";[ ]*([a-z*][a-z0-9_.*-]*)(?:=([^;, ]+))?";
  private static final Pattern ITEM =
      Pattern.compile(
          "[ \\t]*(?:\"(?:[^\"\\\\]|\\\\[\"\\\\])*+\"|[A-Za-z*][A-Za-z0-9_.:/*-]*)"
              + "((?:"
              + PARAMETER
              + ")*+)[ \\t]*(,|$)");
  private static final Pattern PARAMETERS = Pattern.compile(PARAMETER);
  private static final Pattern DIGITS = Pattern.compile("\\d{1,15}");

  private RateLimitField() {}

  static Optional<Duration> longest(String field) {
    if (field.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    Optional<Duration> longest = Optional.empty();
    Matcher item = ITEM.matcher(field);
    int at = 0;
    while (at < field.length()) {
      if (!item.find(at) || item.start() != at) {
        return Optional.empty();
      }
      Optional<Duration> wait = usedUp(item.group(1));
      if (wait.isPresent() && (longest.isEmpty() || wait.get().compareTo(longest.get()) > 0)) {
        longest = wait;
      }
      at = item.end();
    }
    return longest;
  }

  private static Optional<Duration> usedUp(String parameters) {
    String remaining = "";
    String reset = "";
    Matcher parameter = PARAMETERS.matcher(parameters);
    while (parameter.find()) {
      String value = parameter.group(2) == null ? "" : parameter.group(2);
      remaining = parameter.group(1).equals("r") ? value : remaining;
      reset = parameter.group(1).equals("t") ? value : reset;
    }
    return remaining.equals("0") && DIGITS.matcher(reset).matches()
        ? Optional.of(Duration.ofSeconds(Long.parseLong(reset)))
        : Optional.empty();
  }
}
