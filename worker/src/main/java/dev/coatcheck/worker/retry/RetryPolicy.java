package dev.coatcheck.worker.retry;

import dev.coatcheck.db.job.EndCode;
import dev.coatcheck.worker.retry.RetryDecision.Again;
import dev.coatcheck.worker.retry.RetryDecision.Later;
import dev.coatcheck.worker.retry.RetryDecision.Retryable;
import dev.coatcheck.worker.retry.RetryDecision.Stop;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Decides whether, and when, a failed request is asked again. The one owner of retries. */
public final class RetryPolicy {
  /** Jitter is a share of the wait, but a long wait needs no more spread than this. */
  static final Duration MAX_JITTER = Duration.ofSeconds(30);

  private final RetrySettings settings;

  public RetryPolicy(RetrySettings settings) {
    this.settings = settings;
  }

  public RetryDecision decide(
      Failure failure, History history, Bounds bounds, RandomGenerator random) {
    if (failure.askAgain() == AskAgain.NEVER) {
      return new Stop(failure.code().refused(), Retryable.NO, failure.message());
    }
    if (failure.askAgain() == AskAgain.ONCE && history.has(failure)) {
      return secondTime(failure);
    }
    if (!bounds.untilDeadline().isPositive()) {
      return expired(failure, "The deadline has passed");
    }
    if (history.number() >= bounds.maxAttempts()) {
      return new Stop(failure.code().exhausted(), Retryable.YES, exhausted(failure, history));
    }
    return pause(failure, history.number(), bounds, random);
  }

  private RetryDecision pause(Failure failure, int number, Bounds bounds, RandomGenerator random) {
    Duration asked = failure.serverWait() == null ? Duration.ZERO : failure.serverWait().length();
    if (asked.compareTo(bounds.maxWait()) > 0 || asked.compareTo(bounds.untilDeadline()) > 0) {
      return tooLong(failure, asked);
    }
    Duration wait = longer(longer(asked, backoff(number, random)), settings.floor());
    if (wait.compareTo(bounds.untilDeadline()) > 0) {
      return expired(failure, "The next attempt would come after the deadline");
    }
    Duration whole = wait.plus(jitter(wait, bounds.untilDeadline().minus(wait), random));
    Reason reason = new Reason(reason(failure.code()), failure.detail());
    return whole.compareTo(settings.hold()) > 0
        ? new Later(whole, reason)
        : new Again(whole, reason);
  }

  /** U(0, min(max, initial · factor^(n−1))). */
  private Duration backoff(int number, RandomGenerator random) {
    double grown = settings.initial().toNanos() * Math.pow(settings.factor(), number - 1);
    double bound = Math.min((double) settings.max().toNanos(), grown);
    return Duration.ofNanos((long) (random.nextDouble() * bound));
  }

  /**
   * U(0, min(jitter · wait, 30 s, half of what is left after the wait)): an attempt that comes when
   * the deadline does comes too late.
   */
  private Duration jitter(Duration wait, Duration left, RandomGenerator random) {
    double share = Math.min(settings.jitter() * seconds(wait), seconds(left) / 2);
    double bound = Math.min((double) MAX_JITTER.toNanos(), share * 1e9);
    return Duration.ofNanos((long) (random.nextDouble() * bound));
  }

  private static RetryDecision secondTime(Failure failure) {
    return failure.code() == ErrorCode.RATE_LIMITED
        ? new Stop(
            EndCode.RETRY_AFTER_TOO_LONG,
            Retryable.YES,
            bounded("A daily quota is used up (the wait asked for was honoured once)", failure))
        : new Stop(failure.code().exhausted(), Retryable.YES, failure.message());
  }

  private static Stop tooLong(Failure failure, Duration asked) {
    String sentence = "The provider asks for a wait of " + Text.of(asked) + ", beyond the budget";
    return new Stop(EndCode.RETRY_AFTER_TOO_LONG, Retryable.YES, bounded(sentence, failure));
  }

  private static Stop expired(Failure failure, String sentence) {
    return new Stop(EndCode.DEADLINE_EXCEEDED, Retryable.YES, bounded(sentence, failure));
  }

  private static String exhausted(Failure failure, History history) {
    return bounded("All " + history.number() + " attempts failed", failure);
  }

  private static String bounded(String sentence, Failure failure) {
    return Text.cut(sentence + ". Last: " + failure.message(), Failure.MAX_MESSAGE);
  }

  private static Reason.Code reason(ErrorCode code) {
    return code == ErrorCode.RATE_LIMITED ? Reason.Code.RATE_LIMITED : Reason.Code.BACKOFF;
  }

  private static double seconds(Duration wait) {
    return wait.getSeconds() + wait.getNano() / 1e9;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }
}
