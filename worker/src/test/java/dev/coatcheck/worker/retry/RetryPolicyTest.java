package dev.coatcheck.worker.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.job.EndCode;
import dev.coatcheck.worker.retry.RetryDecision.Again;
import dev.coatcheck.worker.retry.RetryDecision.Later;
import dev.coatcheck.worker.retry.RetryDecision.Retryable;
import dev.coatcheck.worker.retry.RetryDecision.Stop;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class RetryPolicyTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Bounds BOUNDS = new Bounds(4, Duration.ofMinutes(10), HOUR);

  private final RetryPolicy policy = new RetryPolicy(RetrySettings.standard());

  /** The largest, or the smallest, draw of every kind. */
  private static RandomGenerator always(double draw) {
    return new RandomGenerator() {
      @Override
      public long nextLong() {
        return 0;
      }

      @Override
      public double nextDouble() {
        return draw;
      }
    };
  }

  private RetryDecision decide(Failure failure, History history, Bounds bounds) {
    return policy.decide(failure, history, bounds, always(0.5));
  }

  @ParameterizedTest
  @CsvSource({"0, 600", "1, 1200", "2, 2400", "3, 4800", "4, 9600", "5, 9600", "19, 9600"})
  void our_own_back_off_doubles_to_eight_seconds_and_a_fifth_is_added(int earlier, long mostMs) {
    Bounds bounds = new Bounds(21, Duration.ofMinutes(10), HOUR);

    RetryDecision most =
        policy.decide(
            Failures.of(ErrorCode.PROVIDER_ERROR),
            Failures.after(earlier),
            bounds,
            always(Math.nextDown(1.0)));

    assertThat(pause(most)).isBetween(Duration.ofMillis(mostMs - 1), Duration.ofMillis(mostMs));
  }

  @Test
  void no_wait_is_shorter_than_the_floor_also_when_the_server_says_zero() {
    RetryDecision none =
        policy.decide(Failures.asking(Duration.ZERO), History.none(), BOUNDS, always(0));

    assertThat(pause(none)).isEqualTo(Duration.ofMillis(100));
  }

  @Test
  void a_server_wait_is_a_floor_and_jitter_comes_on_top() {
    Failure failure = Failures.asking(Duration.ofSeconds(10));

    assertThat(pause(policy.decide(failure, History.none(), BOUNDS, always(0))))
        .isEqualTo(Duration.ofSeconds(10));
    assertThat(pause(policy.decide(failure, History.none(), BOUNDS, always(0.5))))
        .isEqualTo(Duration.ofSeconds(11));
  }

  @Test
  void jitter_is_at_most_half_a_minute() {
    Failure failure = Failures.asking(Duration.ofMinutes(10));

    RetryDecision most = policy.decide(failure, History.none(), BOUNDS, always(Math.nextDown(1.0)));

    assertThat(pause(most)).isBetween(Duration.ofSeconds(629), Duration.ofSeconds(630));
  }

  @Test
  void a_wait_up_to_the_hold_is_made_in_place_and_a_longer_one_parks() {
    assertThat(
            policy.decide(
                Failures.asking(Duration.ofSeconds(2)), History.none(), BOUNDS, always(0)))
        .isInstanceOf(Again.class);
    assertThat(
            policy.decide(
                Failures.asking(Duration.ofMillis(2_001)), History.none(), BOUNDS, always(0)))
        .isInstanceOf(Later.class);
    assertThat(
            policy.decide(
                Failures.asking(Duration.ofSeconds(2)), History.none(), BOUNDS, always(0.1)))
        .isInstanceOf(Later.class);
  }

  @Test
  void a_server_wait_equal_to_max_wait_passes_and_a_longer_one_ends_the_job_at_once() {
    Duration most = BOUNDS.maxWait();

    assertThat(decide(Failures.asking(most), History.none(), BOUNDS)).isInstanceOf(Later.class);
    Stop stop = (Stop) decide(Failures.asking(most.plusMillis(1)), History.none(), BOUNDS);
    assertThat(stop.code()).isEqualTo(EndCode.RETRY_AFTER_TOO_LONG);
    assertThat(stop.retryable()).isEqualTo(Retryable.YES);
    assertThat(stop.message()).contains("600.001 s").contains("slow down");
  }

  @Test
  void a_server_wait_past_the_deadline_is_too_long() {
    Bounds bounds = new Bounds(4, HOUR, Duration.ofSeconds(30));

    assertThat(decide(Failures.asking(Duration.ofSeconds(31)), History.none(), bounds))
        .isInstanceOf(Stop.class)
        .extracting("code")
        .isEqualTo(EndCode.RETRY_AFTER_TOO_LONG);
  }

  @Test
  void jitter_up_to_the_deadline_let_a_job_expire_that_might_have_been_asked() {
    Bounds bounds = new Bounds(4, HOUR, Duration.ofSeconds(30));
    Failure failure = Failures.asking(Duration.ofSeconds(29));

    RetryDecision half = policy.decide(failure, History.none(), bounds, always(0.5));
    RetryDecision most = policy.decide(failure, History.none(), bounds, always(Math.nextDown(1.0)));

    assertThat(pause(half)).isEqualTo(Duration.ofMillis(29_250));
    assertThat(pause(most)).isBetween(Duration.ofMillis(29_499), Duration.ofMillis(29_500));
  }

  @Test
  void our_own_back_off_past_the_deadline_expires_the_job_at_once() {
    Bounds bounds = new Bounds(4, HOUR, Duration.ofMillis(200));

    assertThat(decide(Failures.of(ErrorCode.PROVIDER_ERROR), History.none(), bounds))
        .isInstanceOf(Stop.class)
        .extracting("code", "retryable")
        .containsExactly(EndCode.DEADLINE_EXCEEDED, Retryable.YES);
  }

  @Test
  void a_passed_deadline_expires_the_job_whatever_attempts_are_left() {
    Bounds bounds = new Bounds(1, HOUR, Duration.ZERO);

    assertThat(decide(Failures.of(ErrorCode.PROVIDER_TIMEOUT), History.none(), bounds))
        .isInstanceOf(Stop.class)
        .extracting("code")
        .isEqualTo(EndCode.DEADLINE_EXCEEDED);
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3", "4", "5", "6", "20"})
  void max_attempts_is_the_number_of_sends(int maxAttempts) {
    Bounds bounds = new Bounds(maxAttempts, HOUR, HOUR);
    int sends = 1;
    while (!(decide(Failures.of(ErrorCode.PROVIDER_ERROR), Failures.after(sends - 1), bounds)
        instanceof Stop)) {
      sends++;
    }

    assertThat(sends).isEqualTo(maxAttempts);
  }

  @Test
  void the_last_allowed_attempt_names_the_last_cause() {
    Stop stop = (Stop) decide(Failures.of(ErrorCode.RATE_LIMITED), Failures.after(3), BOUNDS);

    assertThat(stop.code()).isEqualTo(EndCode.ATTEMPTS_EXHAUSTED);
    assertThat(stop.retryable()).isEqualTo(Retryable.YES);
    assertThat(stop.message()).isEqualTo("All 4 attempts failed. Last: " + failureText());
  }

  private static String failureText() {
    return Failures.of(ErrorCode.RATE_LIMITED).message();
  }

  @Test
  void an_answer_nobody_can_use_is_asked_for_once_more() {
    Failure unusable = Failures.of(ErrorCode.INVALID_RESPONSE);
    History before =
        new History(
            List.of(
                new Past(ErrorCode.PROVIDER_ERROR, null),
                new Past(ErrorCode.INVALID_RESPONSE, null)));

    assertThat(decide(unusable, History.none(), BOUNDS)).isInstanceOf(Again.class);
    assertThat(decide(unusable, before, BOUNDS))
        .isInstanceOf(Stop.class)
        .extracting("code", "retryable")
        .containsExactly(EndCode.INVALID_RESPONSE, Retryable.YES);
  }

  @Test
  void a_daily_quota_is_waited_for_once_and_then_not_believed() {
    String quota = "GenerateRequestsPerDayPerProjectPerModel-FreeTier";
    Failure daily =
        Failures.of(
            ErrorCode.RATE_LIMITED,
            AskAgain.ONCE,
            new ServerWait(Duration.ofSeconds(36), "retryDelay 36 s"));

    RetryDecision first =
        decide(daily, new History(List.of(new Past(ErrorCode.RATE_LIMITED, "429"))), BOUNDS);
    RetryDecision second =
        decide(daily, new History(List.of(new Past(ErrorCode.RATE_LIMITED, quota))), BOUNDS);

    assertThat(pause(first)).isGreaterThanOrEqualTo(Duration.ofSeconds(36));
    assertThat(second)
        .isInstanceOf(Stop.class)
        .extracting("code")
        .isEqualTo(EndCode.RETRY_AFTER_TOO_LONG);
  }

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void what_must_not_be_asked_again_ends_the_job_and_is_not_retryable(ErrorCode code) {
    Failure never = Failures.of(code, AskAgain.NEVER, null);

    assertThat(decide(never, History.none(), BOUNDS))
        .isInstanceOf(Stop.class)
        .extracting("code", "retryable")
        .containsExactly(code.refused(), Retryable.NO);
  }

  @Test
  void the_reason_says_who_asked_for_the_wait() {
    Failure failure =
        Failures.of(
            ErrorCode.RATE_LIMITED,
            AskAgain.ALWAYS,
            new ServerWait(Duration.ofSeconds(30), "Retry-After 30 s"));

    Later limited = (Later) decide(failure, History.none(), BOUNDS);
    Again plain =
        (Again)
            policy.decide(Failures.of(ErrorCode.PROVIDER_ERROR), History.none(), BOUNDS, always(0));

    assertThat(limited.reason().code().text()).isEqualTo("rate_limited");
    assertThat(limited.reason().detail()).isEqualTo("openai answered 429, Retry-After 30 s");
    assertThat(plain.reason().code().text()).isEqualTo("backoff");
  }

  static Duration pause(RetryDecision decision) {
    return switch (decision) {
      case Again again -> again.pause();
      case Later later -> later.pause();
      case Stop stop -> throw new AssertionError("stopped: " + stop);
    };
  }
}
