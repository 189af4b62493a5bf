package dev.coatcheck.worker.retry;

import java.util.List;

/**
 * The attempts of a turn that count and came before the one that has just failed. Attempts that our
 * own graceful stop aborted do not belong here.
 */
public record History(List<Past> earlier) {
  public History {
    earlier = List.copyOf(earlier);
  }

  public static History none() {
    return new History(List.of());
  }

  /** The number of the attempt that has just failed, from 1. */
  int number() {
    return earlier.size() + 1;
  }

  /** Whether a failure that may be asked once more has been met before. */
  boolean has(Failure failure) {
    return earlier.stream().anyMatch(past -> sameKind(past, failure));
  }

  private static boolean sameKind(Past past, Failure failure) {
    return past.code() == failure.code()
        && (failure.code() != ErrorCode.RATE_LIMITED || DailyQuota.isOne(past.providerCode()));
  }
}
