package dev.coatcheck.worker.retry;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds the wait that a provider asks for. A direct request ({@code Retry-After} and its kin, also
 * quoted in the body, and Google's {@code retryDelay}) beats the resets of limits, which say when
 * all of a limit is back; words beat nothing.
 */
final class ReadServerWait {
  private static final List<String> MILLIS =
      List.of("retry-after-ms", "x-ms-retry-after-ms", "x-amz-retry-after");
  private static final List<String> RESETS =
      List.of(
          "x-ratelimit-reset-requests",
          "x-ratelimit-reset-tokens",
          "x-ratelimit-reset",
          "ratelimit-reset");
  private static final Pattern ANTHROPIC_RESET = Pattern.compile("(anthropic-ratelimit-.+)-reset");

  private static final int MOST_PARTS = 8;

  // Possessive, so that no text makes them try twice.
  private static final String NUMBER = "\\d++(?:\\.\\d++)?+";
  private static final Pattern PART =
      Pattern.compile(
          "(?i)("
              + NUMBER
              + ")\\s?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)"
              + "(?![a-z])");
  private static final Pattern WORDS =
      Pattern.compile(
          "(?i)\\b(?:try again|retry)\\s+(?:in|after)\\s+(?:(?<parts>(?:"
              + PART.pattern()
              + "(?:,?\\s(?:and\\s)?)?+){1,"
              + MOST_PARTS
              + "}+)|(?<bare>"
              + NUMBER
              + "))");

  private ReadServerWait() {}

  static Optional<ServerWait> read(Reply reply, ErrorBody error, ErrorCode code) {
    Fields headers = new Fields(reply.headers());
    Fields quoted = quoted(error);
    Instant now = now(headers, reply.receivedAt());
    Optional<ServerWait> direct =
        asked(headers, now)
            .or(() -> asked(quoted, now))
            .or(() -> GoogleDetails.retryDelay(error).flatMap(ReadServerWait::retryDelay));
    if (direct.isPresent() || !isAboutLimits(code)) {
      return direct;
    }
    return reset(headers, now).or(() -> reset(quoted, now)).or(() -> words(error.message(), now));
  }

  static boolean hasRetryAfter(Reply reply, ErrorBody error) {
    Fields headers = new Fields(reply.headers());
    Instant now = now(headers, reply.receivedAt());
    return asked(headers, now).or(() -> asked(quoted(error), now)).isPresent();
  }

  /** Resets come with every response of some providers; they explain only these failures. */
  private static boolean isAboutLimits(ErrorCode code) {
    return code == ErrorCode.RATE_LIMITED || code == ErrorCode.PROVIDER_OVERLOADED;
  }

  /** Their clock, if they tell it: a date is meant by it. */
  private static Instant now(Fields headers, Instant ours) {
    return headers.all("date").stream()
        .flatMap(date -> HttpDate.parse(date.strip()).stream())
        .findFirst()
        .orElse(ours);
  }

  /** OpenRouter quotes the headers of the provider behind it. */
  private static Fields quoted(ErrorBody error) {
    Map<String, List<String>> fields = new HashMap<>();
    error
        .error()
        .path("metadata")
        .path("headers")
        .properties()
        .forEach(field -> fields.put(field.getKey(), List.of(field.getValue().asString(""))));
    return fields.isEmpty() ? Fields.NONE : new Fields(fields);
  }

  private static Optional<ServerWait> asked(Fields fields, Instant now) {
    Optional<ServerWait> millis =
        MILLIS.stream()
            .flatMap(name -> longest(name, fields.all(name).stream().map(TimeText::millis)))
            .filter(wait -> wait.length().isPositive())
            .findFirst();
    return millis.or(
        () ->
            longest(
                    "Retry-After",
                    fields.all("retry-after").stream().map(value -> TimeText.wait(value, now)))
                .findFirst());
  }

  private static Optional<ServerWait> retryDelay(String value) {
    return TimeText.duration(value).map(length -> wait("retryDelay", length));
  }

  private static Optional<ServerWait> reset(Fields fields, Instant now) {
    Stream<ServerWait> plain =
        RESETS.stream()
            .flatMap(
                name ->
                    longest(name, fields.all(name).stream().map(text -> TimeText.wait(text, now))));
    Stream<ServerWait> structured =
        fields.all("ratelimit").stream()
            .flatMap(field -> RateLimitField.longest(field).stream())
            .map(length -> wait("RateLimit", length));
    return Stream.of(plain, structured, anthropic(fields, now))
        .flatMap(waits -> waits)
        .max(Comparator.comparing(ServerWait::length));
  }

  /** Only the limit that is used up matters. */
  private static Stream<ServerWait> anthropic(Fields fields, Instant now) {
    return fields.names().stream()
        .map(ANTHROPIC_RESET::matcher)
        .filter(Matcher::matches)
        .filter(limit -> fields.says(limit.group(1) + "-remaining", "0"))
        .flatMap(
            limit ->
                longest(
                    limit.group(),
                    fields.all(limit.group()).stream().map(text -> TimeText.wait(text, now))));
  }

  private static Optional<ServerWait> words(String message, Instant now) {
    Matcher found = WORDS.matcher(message);
    if (!found.find()) {
      return Optional.empty();
    }
    String parts = found.group("parts");
    Optional<Duration> length =
        parts == null ? TimeText.wait(found.group("bare"), now) : TimeText.duration(terse(parts));
    return length.map(wait -> wait("its message says", wait));
  }

  /** {@code 2 minutes 30 seconds} as {@code 2m30s}. */
  private static String terse(String parts) {
    return PART.matcher(parts)
        .results()
        .map(part -> part.group(1) + unit(part.group(2).toLowerCase(Locale.ROOT)))
        .collect(Collectors.joining());
  }

  private static String unit(String word) {
    return word.equals("ms") || word.startsWith("mil") ? "ms" : word.substring(0, 1);
  }

  private static Stream<ServerWait> longest(String source, Stream<Optional<Duration>> read) {
    return read
        .flatMap(Optional::stream)
        .max(Comparator.naturalOrder())
        .map(length -> wait(source, length))
        .stream();
  }

  private static ServerWait wait(String source, Duration length) {
    ServerWait bounded = new ServerWait(length, source);
    return new ServerWait(bounded.length(), source + " " + Text.of(bounded.length()));
  }
}
