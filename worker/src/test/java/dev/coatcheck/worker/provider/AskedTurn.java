package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.provider.ProviderOutcome.Aborted;
import dev.coatcheck.worker.provider.ProviderOutcome.Answered;
import dev.coatcheck.worker.provider.ProviderOutcome.Indeterminate;
import dev.coatcheck.worker.provider.ProviderOutcome.Refused;
import dev.coatcheck.worker.provider.ProviderOutcome.Unreachable;
import dev.coatcheck.worker.retry.Bounds;
import dev.coatcheck.worker.retry.Failure;
import dev.coatcheck.worker.retry.History;
import dev.coatcheck.worker.retry.Past;
import dev.coatcheck.worker.retry.RetryDecision;
import dev.coatcheck.worker.retry.RetryDecision.Again;
import dev.coatcheck.worker.retry.RetryDecision.Later;
import dev.coatcheck.worker.retry.RetryDecision.Stop;
import dev.coatcheck.worker.retry.RetryPolicy;
import dev.coatcheck.worker.retry.RetrySettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;

/**
 * A turn asked as the run loop asks it, with the waits written down instead of waited for.
 *
 * @param failures of the attempts, in order
 * @param pauses between them
 * @param answer none if it stopped
 * @param stop none if it was answered
 */
record AskedTurn(
    List<Failure> failures,
    List<RetryDecision> pauses,
    Optional<Answer> answer,
    Optional<Stop> stop) {
  static final Bounds USUAL = new Bounds(4, Duration.ofMinutes(10), Duration.ofMinutes(30));

  static AskedTurn of(TestProvider provider) {
    return of(provider, USUAL, Duration.ofSeconds(10));
  }

  /** Each attempt has a listener of its own. */
  static AskedTurn streamed(TestProvider provider, Supplier<TextListener> listeners) {
    return of(USUAL, () -> provider.stream(listeners.get()));
  }

  static AskedTurn of(TestProvider provider, Bounds bounds, Duration timeout) {
    return of(bounds, () -> provider.ask(timeout));
  }

  private static AskedTurn of(Bounds bounds, Supplier<ProviderOutcome> attempt) {
    RetryPolicy policy = new RetryPolicy(RetrySettings.standard());
    Random random = new Random(42);
    List<Failure> failures = new ArrayList<>();
    List<RetryDecision> pauses = new ArrayList<>();
    List<Past> past = new ArrayList<>();
    while (true) {
      Failure failure;
      switch (attempt.get()) {
        case Answered answered -> {
          return new AskedTurn(failures, pauses, Optional.of(answered.answer()), Optional.empty());
        }
        case Refused refused -> failure = refused.failure();
        case Unreachable unreachable -> failure = unreachable.failure();
        case Indeterminate indeterminate -> failure = indeterminate.failure();
        case Aborted aborted -> throw new AssertionError("nobody aborts here: " + aborted);
      }
      failures.add(failure);
      RetryDecision decision = policy.decide(failure, new History(past), bounds, random);
      past.add(new Past(failure.code(), failure.upstream().code()));
      switch (decision) {
        case Again again -> pauses.add(again);
        case Later later -> pauses.add(later);
        case Stop stop -> {
          return new AskedTurn(failures, pauses, Optional.empty(), Optional.of(stop));
        }
      }
    }
  }

  Duration pause(int index) {
    return switch (pauses.get(index)) {
      case Again again -> again.pause();
      case Later later -> later.pause();
      case Stop stop -> throw new AssertionError("no pause: " + stop);
    };
  }
}
