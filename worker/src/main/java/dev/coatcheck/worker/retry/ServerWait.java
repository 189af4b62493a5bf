package dev.coatcheck.worker.retry;

import java.time.Duration;

/**
 * A wait that a provider asked for: finite and not negative.
 *
 * @param source where it said so, for people: {@code Retry-After 30 s}
 */
public record ServerWait(Duration length, String source) {
  /** Longer ones are cut to this: beyond every budget, and safe to add to any instant. */
  public static final Duration MAX = Duration.ofDays(36_500);

  public ServerWait {
    if (length.isNegative()) {
      throw new IllegalArgumentException("a server's wait is not negative");
    }
    if (length.compareTo(MAX) > 0) {
      length = MAX;
    }
  }
}
