package dev.coatcheck.worker.retry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.retry.RetryDecision.Again;
import dev.coatcheck.worker.retry.RetryDecision.Later;
import dev.coatcheck.worker.retry.RetryDecision.Stop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for every failure, budget and draw: 1,000 seeds each. */
class RetryPropertiesTest {
  private static final int CASES = 1_000;

  private final RetrySettings settings = RetrySettings.standard();
  private final RetryPolicy policy = new RetryPolicy(settings);

  private record Case(Failure failure, History history, Bounds bounds, RandomGenerator random) {}

  private static Case one(long seed) {
    Random random = new Random(seed);
    Bounds bounds =
        new Bounds(
            1 + random.nextInt(20), anyDuration(random), anyDuration(random).minusSeconds(1));
    ErrorCode code = any(List.of(ErrorCode.values()), random);
    AskAgain askAgain = any(List.of(AskAgain.values()), random);
    ServerWait wait =
        random.nextInt(3) == 0 ? null : new ServerWait(anyDuration(random), "Retry-After");
    return new Case(
        Failures.of(code, askAgain, wait), Failures.after(random.nextInt(25)), bounds, random);
  }

  private static <T> T any(List<T> of, Random random) {
    return of.get(random.nextInt(of.size()));
  }

  /** From nothing to centuries, each size as likely as any other. */
  private static Duration anyDuration(Random random) {
    long nanos = random.nextLong() >>> (1 + random.nextInt(62));
    return random.nextInt(10) == 0 ? ServerWait.MAX : Duration.ofNanos(nanos);
  }

  private RetryDecision decide(Case one) {
    return policy.decide(one.failure(), one.history(), one.bounds(), one.random());
  }

  private static Optional<Duration> pause(RetryDecision decision) {
    return switch (decision) {
      case Again again -> Optional.of(again.pause());
      case Later later -> Optional.of(later.pause());
      case Stop _ -> Optional.empty();
    };
  }

  @Test
  void never_earlier_than_the_server_asks_or_the_floor() {
    LongStream.range(0, CASES)
        .forEach(
            seed -> {
              Case one = one(seed);
              Duration asked =
                  one.failure().serverWait() == null
                      ? Duration.ZERO
                      : one.failure().serverWait().length();
              pause(decide(one))
                  .ifPresent(
                      pause -> {
                        assertThat(pause).as("seed %d", seed).isGreaterThanOrEqualTo(asked);
                        assertThat(pause)
                            .as("seed %d", seed)
                            .isGreaterThanOrEqualTo(settings.floor());
                      });
            });
  }

  @Test
  void never_past_the_budget() {
    LongStream.range(0, CASES)
        .forEach(
            seed -> {
              Case one = one(seed);
              RetryDecision decision = decide(one);
              pause(decision)
                  .ifPresent(
                      pause -> {
                        assertThat(pause)
                            .as("seed %d", seed)
                            .isLessThanOrEqualTo(one.bounds().untilDeadline());
                        assertThat(one.history().number())
                            .as("seed %d", seed)
                            .isLessThan(one.bounds().maxAttempts());
                      });
              ServerWait wait = one.failure().serverWait();
              if (wait != null && wait.length().compareTo(one.bounds().maxWait()) > 0) {
                assertThat(decision).as("seed %d", seed).isInstanceOf(Stop.class);
              }
            });
  }

  @Test
  void always_finite_and_held_only_within_the_hold() {
    LongStream.range(0, CASES)
        .forEach(
            seed -> {
              RetryDecision decision = decide(one(seed));
              pause(decision)
                  .ifPresent(
                      pause ->
                          assertThat(pause)
                              .as("seed %d", seed)
                              .isBetween(Duration.ZERO, ServerWait.MAX.plusSeconds(30)));
              if (decision instanceof Again again) {
                assertThat(again.pause()).isLessThanOrEqualTo(settings.hold());
              }
              if (decision instanceof Later later) {
                assertThat(later.pause()).isGreaterThan(settings.hold());
              }
            });
  }

  @Test
  void a_longer_server_wait_never_makes_a_shorter_pause() {
    LongStream.range(0, CASES)
        .forEach(
            seed -> {
              Random sizes = new Random(seed);
              Duration shorter = Duration.ofNanos(sizes.nextLong(3_600_000_000_000L));
              Duration longer = shorter.plusNanos(sizes.nextLong(3_600_000_000_000L));
              Bounds bounds = new Bounds(20, Duration.ofHours(3), Duration.ofHours(4));
              History history = Failures.after(sizes.nextInt(19));

              Duration less =
                  pause(policy.decide(Failures.asking(shorter), history, bounds, new Random(seed)))
                      .orElseThrow();
              Duration more =
                  pause(policy.decide(Failures.asking(longer), history, bounds, new Random(seed)))
                      .orElseThrow();

              assertThat(more).as("seed %d", seed).isGreaterThanOrEqualTo(less);
            });
  }

  /** T05: headers ignored, or no jitter, so that all came back at once. */
  @Test
  void a_herd_with_one_retry_after_comes_back_spread_and_none_early() {
    Bounds bounds = new Bounds(4, Duration.ofMinutes(10), Duration.ofHours(1));
    List<Duration> pauses = new ArrayList<>();
    for (long seed = 0; seed < 50; seed++) {
      Failure failure = Failures.asking(Duration.ofSeconds(5));
      pauses.add(
          pause(policy.decide(failure, History.none(), bounds, new Random(seed * 7_919)))
              .orElseThrow());
    }
    pauses.sort(Duration::compareTo);

    assertThat(pauses.getFirst()).isGreaterThanOrEqualTo(Duration.ofSeconds(5));
    assertThat(pauses.getLast()).isLessThanOrEqualTo(Duration.ofSeconds(6));
    assertThat(pauses.getLast().minus(pauses.getFirst())).isGreaterThan(Duration.ofMillis(700));
    assertThat(pauses).doesNotHaveDuplicates();
    for (int i = 10; i < pauses.size(); i++) {
      assertThat(pauses.get(i).minus(pauses.get(i - 10))).isGreaterThan(Duration.ofMillis(20));
    }
  }

  /** docs/retries.md, "The worst case". */
  @TestFactory
  List<DynamicTest> the_worst_case_in_sends_and_in_time_is_the_formula() {
    return LongStream.range(0, 10)
        .mapToObj(
            block ->
                DynamicTest.dynamicTest(
                    "seeds from " + block * 100,
                    () ->
                        LongStream.range(block * 100, block * 100 + 100)
                            .forEach(this::checkWorstCase)))
        .toList();
  }

  private void checkWorstCase(long seed) {
    Random random = new Random(seed);
    int maxAttempts = 1 + random.nextInt(20);
    Duration timeout = Duration.ofMillis(1_000 + random.nextInt(300_000));
    Duration maxWait = Duration.ofMillis(random.nextInt(600_000));
    Duration deadline = Duration.ofMillis(1_000 + random.nextInt(3_600_000));
    Duration spent = Duration.ZERO;
    int sends = 0;
    List<Past> past = new ArrayList<>();
    while (true) {
      sends++;
      spent = shorter(spent.plus(shorter(timeout, deadline.minus(spent))), deadline);
      Failure failure =
          random.nextBoolean()
              ? Failures.of(ErrorCode.PROVIDER_TIMEOUT)
              : Failures.asking(Duration.ofMillis(random.nextInt(700_000)));
      RetryDecision decision =
          policy.decide(
              failure,
              new History(past),
              new Bounds(maxAttempts, maxWait, deadline.minus(spent)),
              random);
      past.add(new Past(failure.code(), null));
      Optional<Duration> pause = pause(decision);
      if (pause.isEmpty()) {
        break;
      }
      spent = spent.plus(pause.get());
    }

    assertThat(sends).as("seed %d", seed).isLessThanOrEqualTo(maxAttempts);
    assertThat(spent).as("seed %d", seed).isLessThanOrEqualTo(deadline);
    assertThat(spent)
        .as("seed %d", seed)
        .isLessThanOrEqualTo(
            timeout
                .multipliedBy(maxAttempts)
                .plus(worstWait(maxWait).multipliedBy(maxAttempts - 1L)));
  }

  @Test
  void no_sequence_of_outcomes_spends_more_than_the_budget() {
    LongStream.range(0, CASES).forEach(this::checkSequence);
  }

  /**
   * Failures of every kind, calls and waits of every length, until the policy stops or one is
   * answered.
   */
  private void checkSequence(long seed) {
    Random random = new Random(seed);
    Case drawn = one(seed);
    int maxAttempts = drawn.bounds().maxAttempts();
    Duration deadline = anyDuration(random);
    Duration spent = Duration.ZERO;
    List<Past> past = new ArrayList<>();
    boolean over = false;
    while (!over) {
      Duration left = deadline.minus(spent);
      spent = spent.plus(shorter(anyDuration(random), longer(left, Duration.ZERO)));
      Failure failure = one(random.nextLong()).failure();
      Bounds bounds = new Bounds(maxAttempts, drawn.bounds().maxWait(), deadline.minus(spent));
      Optional<Duration> pause = pause(policy.decide(failure, new History(past), bounds, random));
      past.add(new Past(failure.code(), failure.upstream().code()));
      assertThat(past).as("seed %d", seed).hasSizeLessThanOrEqualTo(maxAttempts);
      spent = spent.plus(pause.orElse(Duration.ZERO));
      assertThat(spent).as("seed %d", seed).isLessThanOrEqualTo(deadline);
      over = pause.isEmpty() || random.nextInt(10) == 0;
    }
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  /** W = max(max_wait, 8 s, 100 ms); one wait is at most W + min(0.2 · W, 30 s). */
  private static Duration worstWait(Duration maxWait) {
    Duration longest =
        maxWait.compareTo(Duration.ofSeconds(8)) > 0 ? maxWait : Duration.ofSeconds(8);
    return longest.plus(shorter(longest.dividedBy(5), Duration.ofSeconds(30)));
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void no_text_of_any_kind_makes_the_reading_of_a_wait_fail(long seed) {
    Random random = new Random(seed);
    String alphabet = "0123456789.:-+ eENaInfymhsGMTZ,;=\"rtd\u00b5\ud800";
    for (int i = 0; i < CASES; i++) {
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(30); n > 0; n--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      TimeText.wait(text.toString(), java.time.Instant.EPOCH)
          .ifPresent(wait -> assertThat(wait).isBetween(Duration.ZERO, ServerWait.MAX));
      RateLimitField.longest(text.toString())
          .ifPresent(wait -> assertThat(wait).isGreaterThanOrEqualTo(Duration.ZERO));
    }
  }
}
