package dev.coatcheck.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.job.EndCode;
import dev.coatcheck.worker.raw.Conversation;
import dev.coatcheck.worker.raw.RawServer.Act;
import dev.coatcheck.worker.retry.AttemptState;
import dev.coatcheck.worker.retry.Billed;
import dev.coatcheck.worker.retry.Bounds;
import dev.coatcheck.worker.retry.ErrorCode;
import dev.coatcheck.worker.retry.Failure;
import dev.coatcheck.worker.retry.RetryDecision.Later;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What went wrong elsewhere, in public reports, each with its right outcome here. */
@Timeout(60)
class ReportedFailuresTest {
  private static final String WHOLE =
      "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"hello\"},\"finish_reason\":\"stop\"}]}";

  private static final Act OK = c -> c.answer(200, WHOLE);

  private final TestProvider provider = TestProvider.start();

  @AfterEach
  void stop() throws IOException {
    provider.close();
  }

  private static Act answer(int status, String body, String... headers) {
    return c -> c.answer(status, body, headers);
  }

  private AskedTurn ask(Act... acts) {
    provider.server().play(acts);
    return AskedTurn.of(provider);
  }

  private int sends() {
    return provider.server().requests().size();
  }

  private static EndCode code(AskedTurn turn) {
    return turn.stop().orElseThrow().code();
  }

  /** T01 */
  @Test
  void a_reset_of_six_minutes_was_read_as_six_seconds() {
    AskedTurn turn =
        ask(
            answer(
                429,
                "{\"error\":{\"message\":\"Rate limit reached. Please try again in 3.89s.\",\"type\":\"tokens\",\"code\":\"rate_limit_exceeded\"}}",
                "x-ratelimit-reset-requests: 1s",
                "x-ratelimit-reset-tokens: 6m0s"),
            OK);

    assertThat(turn.pauses().getFirst()).isInstanceOf(Later.class);
    assertThat(turn.pause(0)).isBetween(Duration.ofMinutes(6), Duration.ofSeconds(390));
  }

  /** T02 */
  @Test
  void a_retry_after_of_a_day_hung_the_call() {
    AskedTurn turn = ask(answer(429, "", "Retry-After: 86400"));

    assertThat(sends()).isEqualTo(1);
    assertThat(code(turn)).isEqualTo(EndCode.RETRY_AFTER_TOO_LONG);
    assertThat(turn.stop().orElseThrow().message()).contains("86400 s");
  }

  /** T02, with a budget that allows it. */
  @Test
  void a_retry_after_of_a_day_is_parked_where_the_budget_allows_it() {
    provider.server().play(answer(429, "", "Retry-After: 86400"), OK);
    Bounds patient = new Bounds(4, Duration.ofDays(2), Duration.ofDays(7));

    AskedTurn turn = AskedTurn.of(provider, patient, Duration.ofSeconds(10));

    assertThat(turn.pauses().getFirst()).isInstanceOf(Later.class);
    assertThat(turn.pause(0)).isGreaterThanOrEqualTo(Duration.ofDays(1));
  }

  /** T03 */
  @ParameterizedTest
  @ValueSource(strings = {"9999999999", "99999999999999999999"})
  void a_huge_retry_after_overflowed_the_sleep(String value) {
    AskedTurn turn = ask(answer(429, "", "Retry-After: " + value));

    assertThat(sends()).isEqualTo(1);
    assertThat(code(turn)).isEqualTo(EndCode.RETRY_AFTER_TOO_LONG);
  }

  /** T03 */
  @ParameterizedTest
  @ValueSource(strings = {"NaN", "-5", "1e400", "Infinity"})
  void a_retry_after_that_is_no_number_became_a_sleep_of_no_number(String value) {
    AskedTurn turn = ask(answer(429, "", "Retry-After: " + value), OK);

    assertThat(turn.answer()).isPresent();
    assertThat(turn.pause(0)).isBetween(Duration.ofMillis(100), Duration.ofMillis(600));
  }

  /** T04 */
  @Test
  void a_date_in_the_past_became_a_negative_sleep() {
    AskedTurn turn = ask(answer(503, "", "Retry-After: Sun, 29 Nov 2026 19:59:50 GMT"), OK);

    assertThat(sends()).isEqualTo(2);
    assertThat(turn.pause(0)).isBetween(Duration.ofMillis(100), Duration.ofMillis(600));
  }

  /** T06 */
  @Test
  void googles_delay_in_the_body_was_ignored_and_all_attempts_burnt() {
    AskedTurn turn =
        ask(
            answer(
                429,
                "{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\",\"details\":[{\"@type\":\"type.googleapis.com/google.rpc.RetryInfo\",\"retryDelay\":\"38s\"}]}}"),
            OK);

    assertThat(sends()).isEqualTo(2);
    assertThat(turn.pause(0)).isGreaterThanOrEqualTo(Duration.ofSeconds(38));
  }

  private static Act googleQuota(String id) {
    return answer(
        429,
        """
        {"error":{"code":429,"message":"You exceeded your current quota.","status":"RESOURCE_EXHAUSTED",
         "details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"%s"}]},
         {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"36s"}]}}
        """
            .formatted(id));
  }

  /** T07 a */
  @Test
  void a_daily_quota_was_retried_for_minutes() {
    Act daily = googleQuota("GenerateRequestsPerDayPerProjectPerModel-FreeTier");
    provider.server().otherwise(daily);

    AskedTurn turn = AskedTurn.of(provider);

    assertThat(sends()).isEqualTo(2);
    assertThat(turn.pause(0)).isGreaterThanOrEqualTo(Duration.ofSeconds(36));
    assertThat(code(turn)).isEqualTo(EndCode.RETRY_AFTER_TOO_LONG);
  }

  /** T07 b */
  @Test
  void a_quota_a_minute_is_waited_for() {
    AskedTurn turn = ask(googleQuota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"), OK);

    assertThat(turn.answer()).isPresent();
    assertThat(sends()).isEqualTo(2);
  }

  /** T08 */
  @Test
  void a_rate_limit_on_input_tokens_was_called_a_context_overflow() {
    AskedTurn turn =
        ask(
            answer(
                429,
                "{\"type\":\"error\",\"error\":{\"type\":\"rate_limit_error\",\"message\":\"This request would exceed your organization's rate limit of 40,000 input tokens per minute\"}}"),
            OK);

    assertThat(turn.failures().getFirst().code()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(turn.answer()).isPresent();
    assertThat(sends()).isEqualTo(2);
  }

  /** T09 */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "prompt is too long: 200534 tokens > 200000 maximum",
        "input length and `max_tokens` exceed context limit: 900000 + 128000 > 1000000"
      })
  void a_context_overflow_was_a_plain_bad_request(String words) {
    AskedTurn turn =
        ask(
            answer(
                400,
                "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\""
                    + words
                    + "\"}}"));

    assertThat(sends()).isEqualTo(1);
    assertThat(code(turn)).isEqualTo(EndCode.CONTEXT_TOO_LONG);
    assertThat(turn.stop().orElseThrow().message()).contains(words);
  }

  /** T10 */
  @ParameterizedTest
  @CsvSource({
    "insufficient_quota, null",
    "requests, 'project_spend_limit_exceeded'",
    "insufficient_quota, 'insufficient_quota'"
  })
  void an_empty_account_was_retried_as_a_rate_limit(String type, String code) {
    String quoted = code.equals("null") ? code : "\"" + code + "\"";
    AskedTurn turn =
        ask(
            answer(
                429,
                "{\"error\":{\"message\":\"You exceeded your current quota\",\"type\":\""
                    + type
                    + "\",\"param\":null,\"code\":"
                    + quoted
                    + "}}",
                "Retry-After: 5"));

    assertThat(sends()).isEqualTo(1);
    assertThat(code(turn)).isEqualTo(EndCode.BILLING);
  }

  /** T11 */
  @Test
  void a_limit_on_concurrency_was_called_an_empty_account() {
    AskedTurn turn =
        ask(
            answer(
                429,
                "{\"status\":429,\"error\":\"INSUFFICIENT QUOTA\",\"message\":\"You exceeded your current limit of concurrent requests.\"}"),
            OK);

    assertThat(turn.failures().getFirst().code()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(sends()).isEqualTo(2);
  }

  /** T12 */
  @Test
  void a_weekly_limit_was_retried_for_ever() {
    provider
        .server()
        .otherwise(answer(429, "{\"error\":{\"message\":\"exceeded your weekly rate limit\"}}"));

    AskedTurn turn = AskedTurn.of(provider);

    assertThat(sends()).isEqualTo(4);
    assertThat(code(turn)).isEqualTo(EndCode.ATTEMPTS_EXHAUSTED);
  }

  /** T13 */
  @Test
  void an_empty_account_hid_in_a_bad_request() {
    AskedTurn turn =
        ask(
            answer(
                400,
                "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"Your credit balance is too low to access the Anthropic API.\"}}"));

    assertThat(sends()).isEqualTo(1);
    assertThat(code(turn)).isEqualTo(EndCode.BILLING);
    assertThat(turn.stop().orElseThrow().message()).contains("Your credit balance is too low");
  }

  /** T14 */
  @Test
  void an_identical_bad_request_was_sent_three_times() {
    AskedTurn turn =
        ask(
            answer(
                400,
                "{\"error\":{\"type\":\"invalid_request_error\",\"message\":\"messages: required\"}}"));

    assertThat(sends()).isEqualTo(1);
    assertThat(code(turn)).isEqualTo(EndCode.INVALID_REQUEST);
  }

  /** T15 */
  @Test
  void a_free_tiers_limit_inside_a_200_was_a_missing_choice() {
    long reset = TestProvider.NOW.plusSeconds(60).toEpochMilli();
    AskedTurn turn =
        ask(
            answer(
                200,
                "{\"error\":{\"message\":\"Rate limit exceeded: free-models-per-day\",\"code\":429,\"metadata\":{\"headers\":{\"X-RateLimit-Limit\":\"200\",\"X-RateLimit-Remaining\":\"0\",\"X-RateLimit-Reset\":\""
                    + reset
                    + "\"}}},\"user_id\":\"u\"}"),
            OK);

    Failure first = turn.failures().getFirst();
    assertThat(first.code()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(first.billed()).isEqualTo(Billed.UNKNOWN);
    assertThat(turn.pauses().getFirst()).isInstanceOf(Later.class);
    assertThat(turn.pause(0)).isBetween(Duration.ofSeconds(60), Duration.ofSeconds(72));
  }

  /** T21 */
  @Test
  void a_timeout_that_ended_at_the_headers_let_a_stalled_body_hang() {
    provider
        .server()
        .play(
            c -> {
              c.write(Conversation.head(200, "Content-Length: 1000") + "0123456789");
              c.waitForHangUp(20_000);
            });

    ProviderOutcome outcome = provider.ask(Duration.ofMillis(200));

    assertThat(outcome.receipt().duration())
        .isBetween(Duration.ofMillis(200), Duration.ofMillis(900));
    assertThat(outcome)
        .isInstanceOf(ProviderOutcome.Indeterminate.class)
        .extracting("failure.code", "failure.billed", "receipt.responseBytes")
        .containsExactly(ErrorCode.PROVIDER_TIMEOUT, Billed.UNKNOWN, 10L);
  }

  /** T23, T25: each abandoned attempt may have been billed, and counts. */
  @Test
  void abandoned_attempts_were_billed_and_nobody_counted_them() {
    provider.server().otherwise(c -> c.waitForHangUp(20_000));
    Bounds three = new Bounds(3, Duration.ofMinutes(10), Duration.ofMinutes(30));

    AskedTurn turn = AskedTurn.of(provider, three, Duration.ofMillis(200));

    assertThat(sends()).isEqualTo(3);
    assertThat(code(turn)).isEqualTo(EndCode.ATTEMPTS_EXHAUSTED);
    assertThat(turn.failures())
        .hasSize(3)
        .allSatisfy(
            failure -> {
              assertThat(failure.state()).isEqualTo(AttemptState.INDETERMINATE);
              assertThat(failure.billed()).isEqualTo(Billed.UNKNOWN);
              assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
            });
  }

  /** T24 */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void retries_in_two_layers_multiplied(int maxAttempts) {
    provider.server().otherwise(answer(500, "", "Retry-After: 0"));
    Bounds bounds = new Bounds(maxAttempts, Duration.ofMinutes(10), Duration.ofMinutes(30));

    AskedTurn turn = AskedTurn.of(provider, bounds, Duration.ofSeconds(10));

    assertThat(sends()).isEqualTo(maxAttempts);
    assertThat(code(turn)).isEqualTo(EndCode.ATTEMPTS_EXHAUSTED);
  }

  /** faraday-retry kept a header of the attempt before. */
  @Test
  void a_wait_of_an_earlier_attempt_was_waited_for_again() {
    AskedTurn turn = ask(answer(429, "", "Retry-After: 30"), Conversation::reset, OK);

    assertThat(turn.pause(0)).isGreaterThanOrEqualTo(Duration.ofSeconds(30));
    assertThat(turn.pause(1)).isLessThan(Duration.ofSeconds(2));
  }
}
