package dev.coatcheck.worker.deliver;

import dev.coatcheck.worker.egress.Headers;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads {@code Retry-After}: seconds or a date; nonsense counts as absent. */
final class ReadRetryAfter {
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}");

  private ReadRetryAfter() {}

  /**
   * @param now by our clock; the endpoint's own is taken, if it tells it
   */
  static Optional<Duration> of(Headers headers, Instant now) {
    return headers
        .first("retry-after")
        .map(String::strip)
        .flatMap(
            text -> pause(text, headers.first("date").flatMap(ReadRetryAfter::date).orElse(now)))
        .filter(Duration::isPositive)
        .map(pause -> pause.compareTo(Limits.LONGEST_PAUSE) > 0 ? Limits.LONGEST_PAUSE : pause);
  }

  private static Optional<Duration> pause(String text, Instant now) {
    return SECONDS.matcher(text).matches()
        ? Optional.of(Duration.ofSeconds(Long.parseLong(text)))
        : date(text).map(until -> Duration.between(now, until));
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text.strip(), DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
