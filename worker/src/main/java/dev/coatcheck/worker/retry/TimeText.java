package dev.coatcheck.worker.retry;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a wait in any of the spellings that providers use. What cannot be read is no wait; what
 * lies in the past is a wait of zero; nothing overflows.
 */
final class TimeText {
  private static final int MAX_LENGTH = 64;

  // Not Double.parseDouble: it takes NaN, Infinity, 1d and 0x1p3.
  private static final Pattern NUMBER = Pattern.compile("\\d+(\\.\\d+)?");
  private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|us|µs|ns|d|h|m|s)");
  private static final Pattern DURATION = Pattern.compile("(?:" + PART.pattern() + ")+");
  private static final Pattern RFC_3339 =
      Pattern.compile(
          "\\d{4}-\\d\\d-\\d\\d[Tt]\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?([Zz]|[+-]\\d\\d:\\d\\d)");

  private static final BigDecimal EPOCH_SECONDS = new BigDecimal("1e9");
  private static final BigDecimal EPOCH_MILLIS = new BigDecimal("1e12");
  private static final BigDecimal MAX_SECONDS = BigDecimal.valueOf(ServerWait.MAX.toSeconds());
  private static final Map<String, BigDecimal> UNITS =
      Map.of(
          "d", new BigDecimal("86400"),
          "h", new BigDecimal("3600"),
          "m", new BigDecimal("60"),
          "s", BigDecimal.ONE,
          "ms", new BigDecimal("1e-3"),
          "us", new BigDecimal("1e-6"),
          "µs", new BigDecimal("1e-6"),
          "ns", new BigDecimal("1e-9"));

  private TimeText() {}

  /** Seconds, a duration, an epoch in seconds or milliseconds, RFC 3339 or an HTTP date. */
  static Optional<Duration> wait(String value, Instant now) {
    String text = value.strip();
    if (text.length() > MAX_LENGTH) {
      return Optional.empty();
    }
    if (NUMBER.matcher(text).matches()) {
      return Optional.of(number(new BigDecimal(text), now));
    }
    Optional<Duration> duration = duration(text);
    return duration.isPresent() ? duration : instant(text).map(until -> between(now, until));
  }

  /** Milliseconds. */
  static Optional<Duration> millis(String value) {
    String text = value.strip();
    return text.length() <= MAX_LENGTH && NUMBER.matcher(text).matches()
        ? Optional.of(seconds(new BigDecimal(text).movePointLeft(3)))
        : Optional.empty();
  }

  /** A duration as Go and protobuf write it: {@code 6m0s}, {@code 36.43s}, {@code 120ms}. */
  static Optional<Duration> duration(String value) {
    String text = value.strip();
    if (text.length() > MAX_LENGTH || !DURATION.matcher(text).matches()) {
      return Optional.empty();
    }
    BigDecimal sum = BigDecimal.ZERO;
    Matcher parts = PART.matcher(text);
    while (parts.find()) {
      BigDecimal unit = UNITS.getOrDefault(parts.group(2), BigDecimal.ONE);
      sum = sum.add(new BigDecimal(parts.group(1)).multiply(unit));
    }
    return Optional.of(seconds(sum));
  }

  /** An instant as RFC 3339 or as one of the three HTTP dates. */
  static Optional<Instant> instant(String value) {
    String text = value.strip();
    if (!RFC_3339.matcher(text).matches()) {
      return HttpDate.parse(text);
    }
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException noSuchDay) {
      return Optional.empty();
    }
  }

  private static Duration number(BigDecimal number, Instant now) {
    if (number.compareTo(EPOCH_MILLIS) >= 0) {
      return untilEpoch(number.movePointLeft(3), now);
    }
    return number.compareTo(EPOCH_SECONDS) >= 0 ? untilEpoch(number, now) : seconds(number);
  }

  private static Duration untilEpoch(BigDecimal seconds, Instant now) {
    BigDecimal current =
        BigDecimal.valueOf(now.getEpochSecond()).add(BigDecimal.valueOf(now.getNano(), 9));
    return seconds(seconds.subtract(current));
  }

  private static Duration between(Instant now, Instant until) {
    return until.isBefore(now) ? Duration.ZERO : Duration.between(now, until);
  }

  /** Rounded up, so that no wait is ever too short; from zero to the maximum. */
  private static Duration seconds(BigDecimal seconds) {
    BigDecimal bounded = seconds.max(BigDecimal.ZERO).min(MAX_SECONDS);
    return Duration.ofNanos(
        bounded.movePointRight(9).setScale(0, RoundingMode.CEILING).longValueExact());
  }
}
