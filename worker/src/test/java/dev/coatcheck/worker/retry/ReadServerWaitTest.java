package dev.coatcheck.worker.retry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** Every spelling of a wait that a provider is known to send. */
class ReadServerWaitTest {
  private static final JsonMapper JSON = new JsonMapper();

  /** Ours, and wrong by an hour: theirs must win where they tell it. */
  private static final Instant OURS = Instant.parse("2026-10-21T06:27:30Z");

  private static final String DATE = "Date: Wed, 21 Oct 2026 07:27:30 GMT";

  private static Optional<Duration> wait(int status, @Nullable String body, String... headers) {
    return Optional.ofNullable(verdict(status, body, headers).serverWait()).map(ServerWait::length);
  }

  static Verdict verdict(int status, @Nullable String body, String... headers) {
    Map<String, List<String>> fields = new TreeMap<>();
    Arrays.stream(headers)
        .forEach(
            line ->
                fields.put(
                    line.substring(0, line.indexOf(':')),
                    List.of(line.substring(line.indexOf(':') + 1).strip())));
    return Classify.of(new Reply(status, fields, body == null ? null : JSON.readTree(body), OURS));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "30 | 30000",
        "1.5 | 1500",
        "0 | 0",
        "6m0s | 360000",
        "120ms | 120",
        "1h2m3s | 3723000",
        "Wed, 21 Oct 2026 07:28:00 GMT | 30000",
        "Wednesday, 21-Oct-26 07:28:00 GMT | 30000",
        "Wed Oct 21 07:28:00 2026 | 30000",
        "Fri Nov  6 07:28:00 2026 | 1382430000",
        "2026-10-21T07:28:00Z | 30000",
        "2026-10-21T09:28:00.5+02:00 | 30500",
        "1792567680 | 30000",
        "1792567680000 | 30000",
        "Wed, 21 Oct 2026 07:27:00 GMT | 0",
        "Sun, 06 Nov 1994 08:49:37 GMT | 0",
        "Sunday, 06-Nov-94 08:49:37 GMT | 0",
        "1500000000 | 0",
      })
  void retry_after_is_read_in_any_spelling_against_their_own_clock(String value, long millis) {
    assertThat(wait(429, null, "Retry-After: " + value, DATE)).contains(Duration.ofMillis(millis));
  }

  @Test
  void without_their_clock_a_date_is_measured_against_ours() {
    assertThat(wait(503, null, "Retry-After: Wed, 21 Oct 2026 06:28:00 GMT"))
        .contains(Duration.ofSeconds(30));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-5",
        "NaN",
        "Infinity",
        "1e400",
        "0x1p3",
        "1d2",
        "abc",
        "6m0s extra",
        "",
        " ",
        "1,5",
        "5, 5",
        "Wed, 99 Oct 2026 07:28:00 GMT",
        "Wed, 21 Foo 2026 07:28:00 GMT",
        "2026-13-45T07:28:00Z",
        "30 s",
        "+5",
        "٣٠"
      })
  void what_cannot_be_read_is_no_wait_and_never_an_error(String value) {
    assertThat(wait(429, null, "Retry-After: " + value)).isEmpty();
  }

  /** T03: the value overflowed a sleep elsewhere. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "99999999999999999999", "9999999999", "99999999999999999999999999999999999999h",
        "999999999.999999999", "9999-12-31T23:59:59Z", "Fri, 31 Dec 9999 23:59:59 GMT"
      })
  void a_huge_wait_is_huge_and_never_an_overflow(String value) {
    assertThat(wait(429, null, "Retry-After: " + value, DATE).orElseThrow())
        .isBetween(Duration.ofDays(7), ServerWait.MAX);
  }

  @ParameterizedTest
  @CsvSource({
    "retry-after-ms, 1500, 1500",
    "retry-after-ms, 1500.5, 1501",
    "x-ms-retry-after-ms, 250, 250"
  })
  void milliseconds_are_more_exact_than_seconds(String name, String value, long roundedUp) {
    Duration read = wait(429, null, name + ": " + value, "Retry-After: 2").orElseThrow();

    assertThat(read).isBetween(Duration.ofMillis(roundedUp - 1), Duration.ofMillis(roundedUp));
  }

  @Test
  void milliseconds_that_cannot_be_read_leave_the_seconds() {
    assertThat(wait(429, null, "retry-after-ms: NaN", "Retry-After: 2"))
        .contains(Duration.ofSeconds(2));
    assertThat(wait(429, null, "retry-after-ms: 0", "Retry-After: 2"))
        .contains(Duration.ofSeconds(2));
  }

  /** T01: 6m0s was read as six seconds, or not at all. */
  @Test
  void openai_reset_durations_are_durations_and_the_longer_one_counts() {
    assertThat(wait(429, null, "x-ratelimit-reset-requests: 1s", "x-ratelimit-reset-tokens: 6m0s"))
        .contains(Duration.ofMinutes(6));
  }

  @ParameterizedTest
  @CsvSource({
    "7.66s, 7660",
    "76ms, 76",
    "1h2m3s, 3723000",
    "9ms, 9",
    "17, 17000",
    "0, 0",
    "1d, 86400000"
  })
  void a_reset_may_be_a_duration_or_bare_seconds(String value, long millis) {
    assertThat(wait(429, null, "x-ratelimit-reset-tokens: " + value))
        .contains(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @ValueSource(strings = {"6m0s extra", "abc", "-1", "s", "6x"})
  void a_reset_that_cannot_be_read_is_none(String value) {
    assertThat(wait(429, null, "x-ratelimit-reset-tokens: " + value)).isEmpty();
  }

  @Test
  void retry_after_beats_every_reset() {
    assertThat(
            wait(
                429,
                null,
                "Retry-After: 2",
                "x-ratelimit-reset-requests: 1s",
                "x-ratelimit-reset-tokens: 6m0s",
                "RateLimit: \"default\";r=0;t=50"))
        .contains(Duration.ofSeconds(2));
  }

  @Test
  void resets_explain_a_rate_limit_and_no_other_failure() {
    assertThat(wait(500, null, "x-ratelimit-reset-tokens: 6m0s")).isEmpty();
    assertThat(wait(500, null, "Retry-After: 3")).contains(Duration.ofSeconds(3));
  }

  @Test
  void of_anthropics_limits_only_the_one_at_zero_counts() {
    assertThat(
            wait(
                429,
                null,
                DATE,
                "anthropic-ratelimit-requests-remaining: 12",
                "anthropic-ratelimit-requests-reset: 2026-10-21T08:27:30Z",
                "anthropic-ratelimit-input-tokens-remaining: 0",
                "anthropic-ratelimit-input-tokens-reset: 2026-10-21T07:27:50Z"))
        .contains(Duration.ofSeconds(20));
    assertThat(
            wait(
                429,
                null,
                DATE,
                "anthropic-ratelimit-requests-remaining: 12",
                "anthropic-ratelimit-requests-reset: 2026-10-21T08:27:30Z"))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"default\";r=0;t=50 | 50",
        "\"burst\";r=3;t=900, \"day\";r=0;t=7 | 7",
        "\"a\";r=0;t=5,\"b\";r=0;t=9 | 9",
        "\"a\";r=0;t=5;pk=:cHJv: | 5",
        "default;r=0;t=50 | 50",
      })
  void the_structured_field_says_when_a_used_up_limit_is_back(String field, long seconds) {
    assertThat(wait(429, null, "RateLimit: " + field)).contains(Duration.ofSeconds(seconds));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"default\";r=5;t=50",
        "\"default\";r=0",
        "\"default\";r=0;t=-5",
        "\"default;r=0;t=50",
        "\"default\";r=0;t=50 junk",
        ";r=0;t=50",
        "\"a\";r=0;t=1e9",
        "",
        ",",
        "50"
      })
  void a_malformed_or_unused_structured_field_is_ignored(String field) {
    assertThat(wait(429, null, "RateLimit: " + field)).isEmpty();
  }

  @Test
  void gateways_on_early_drafts_send_delta_seconds() {
    assertThat(
            wait(
                429, null, "x-ratelimit-reset: 1", "x-ratelimit-limit: 1000, 1000;w=1, 60000;w=60"))
        .contains(Duration.ofSeconds(1));
  }

  /** T06: the body's retryDelay was ignored and all attempts burnt in three seconds. */
  @ParameterizedTest
  @CsvSource({"38s, 38000", "36.429760048s, 36430", "0.5s, 500"})
  void googles_retry_delay_is_read_from_the_body(String delay, long millis) {
    String body =
        """
        {"error":{"code":429,"message":"Quota.","status":"RESOURCE_EXHAUSTED","details":[
          {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"%s"}]}}
        """
            .formatted(delay);

    assertThat(wait(429, body).orElseThrow())
        .isBetween(Duration.ofMillis(millis - 1), Duration.ofMillis(millis));
    assertThat(wait(429, "[" + body + "]")).isPresent();
  }

  /** T15: a free tier's limit inside a 200, its reset in epoch milliseconds. */
  @Test
  void openrouters_headers_are_read_from_the_body() {
    String body =
        """
        {"error":{"message":"Rate limit exceeded: free-models-per-day","code":429,
          "metadata":{"headers":{"X-RateLimit-Limit":"200","X-RateLimit-Remaining":"0",
          "X-RateLimit-Reset":"%d"}}}}
        """
            .formatted(OURS.plusSeconds(90).toEpochMilli());

    assertThat(wait(200, body)).contains(Duration.ofSeconds(90));
    assertThat(wait(429, body.replace("X-RateLimit-Limit", "Retry-After")))
        .contains(Duration.ofSeconds(200));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Rate limit reached. Please try again in 3.89s. Visit | 3890",
        "Please try again in 174ms. | 174",
        "Please try again in 6m0s. | 360000",
        "Please retry in 36.4s. | 36400",
        "Please retry after 86400 seconds. | 86400000",
        "Try again in 2 minutes | 120000",
        "please try again in 20 | 20000",
      })
  void the_exact_wait_in_the_words_is_the_last_resort(String words, long millis) {
    String body = "{\"error\":{\"message\":\"" + words + "\",\"code\":\"rate_limit_exceeded\"}}";

    assertThat(wait(429, body)).contains(Duration.ofMillis(millis));
    assertThat(wait(429, body, "Retry-After: 1")).contains(Duration.ofSeconds(1));
    assertThat(wait(400, body)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "try again in 500 ms | 500",
        "try again in 1 millisecond. | 1",
        "try again in 250 Milliseconds | 250",
        "try again in 5 s | 5000",
        "try again in 5 sec or later | 5000",
        "try again in 2.5 secs | 2500",
        "try again in 1 second | 1000",
        "try again in 5 m | 300000",
        "try again in 5 min | 300000",
        "try again in 5 mins. | 300000",
        "try again in 5min | 300000",
        "try again in 1 minute | 60000",
        "try again in 1h | 3600000",
        "try again in 2 hr | 7200000",
        "try again in 2 hrs | 7200000",
        "try again in 2 hours | 7200000",
        "try again in 1 d | 86400000",
        "try again in 3 days | 259200000",
        "try again in 2m 30s | 150000",
        "try again in 2m30s | 150000",
        "try again in 1h2m3s | 3723000",
        "try again in 2 minutes 30 seconds | 150000",
        "try again in 1 minute, 5 seconds | 65000",
        "try again in 1 hour and 5 min | 3900000",
        "try again in 1 hour and then 5 times | 3600000",
        "try again in 5 apples | 5000",
        "try again in 5 mistakes | 5000",
      })
  void a_unit_that_is_spelt_out_or_stands_apart_was_taken_for_seconds(String words, long millis) {
    assertThat(wait(429, said(words))).contains(Duration.ofMillis(millis));
  }

  @Test
  void words_of_any_length_are_read_at_once_and_only_within_bounds() {
    assertThat(wait(429, said("try again in " + "9".repeat(100_000) + " s"))).isEmpty();
    assertThat(wait(429, said("try again in " + "1s ".repeat(100_000))))
        .contains(Duration.ofSeconds(8));
    assertThat(wait(429, said("try again in " + "9".repeat(60) + " days")))
        .contains(ServerWait.MAX);
  }

  private static String said(String words) {
    return "{\"error\":{\"message\":\"" + words + "\",\"code\":\"rate_limit_exceeded\"}}";
  }

  @Test
  void the_source_is_told_to_people() {
    assertThat(verdict(429, null, "Retry-After: 30").serverWait())
        .isNotNull()
        .extracting(ServerWait::source)
        .isEqualTo("Retry-After 30 s");
    assertThat(verdict(429, null, "x-ratelimit-reset-tokens: 6m0s").serverWait())
        .isNotNull()
        .extracting(ServerWait::source)
        .isEqualTo("x-ratelimit-reset-tokens 360 s");
  }
}
