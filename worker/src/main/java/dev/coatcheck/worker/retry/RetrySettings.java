package dev.coatcheck.worker.retry;

import java.time.Duration;

/**
 * {@code coatcheck.retry}: our own back-off.
 *
 * @param initial the upper bound of the first wait
 * @param factor by which each further bound grows
 * @param max the bound's own bound
 * @param jitter the share of a wait that is added at random, so that a herd comes back spread
 * @param floor no wait is shorter, also when the provider says zero
 * @param hold the longest wait in place; longer ones are parked
 */
public record RetrySettings(
    Duration initial, double factor, Duration max, double jitter, Duration floor, Duration hold) {
  private static final Duration MAX_BACKOFF = Duration.ofHours(1);
  private static final double MAX_FACTOR = 100;

  public RetrySettings {
    check(!initial.isNegative() && initial.compareTo(MAX_BACKOFF) <= 0, "initial", "0 to 1h");
    check(factor >= 1 && factor <= MAX_FACTOR, "factor", "1 to 100");
    check(!max.isNegative() && max.compareTo(MAX_BACKOFF) <= 0, "max", "0 to 1h");
    check(jitter >= 0 && jitter <= 1, "jitter", "0 to 1");
    check(floor.isPositive() && floor.compareTo(MAX_BACKOFF) <= 0, "floor", "1ns to 1h");
    check(!hold.isNegative() && hold.compareTo(MAX_BACKOFF) <= 0, "hold", "0 to 1h");
  }

  public static RetrySettings standard() {
    return new RetrySettings(
        Duration.ofMillis(500),
        2,
        Duration.ofSeconds(8),
        0.2,
        Duration.ofMillis(100),
        Duration.ofSeconds(2));
  }

  private static void check(boolean holds, String name, String range) {
    if (!holds) {
      throw new IllegalArgumentException("coatcheck.retry." + name + " must be in " + range + ".");
    }
  }
}
