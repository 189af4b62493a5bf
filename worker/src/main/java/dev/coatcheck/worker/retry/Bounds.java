package dev.coatcheck.worker.retry;

import java.time.Duration;

/**
 * What a job may still spend on a turn.
 *
 * @param maxAttempts HTTP requests per turn, from 1
 * @param maxWait the longest single wait that a provider may ask for
 * @param untilDeadline what is left of the whole job; zero or less when nothing is
 */
public record Bounds(int maxAttempts, Duration maxWait, Duration untilDeadline) {
  public Bounds {
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("maxAttempts is at least 1");
    }
    if (maxWait.isNegative()) {
      throw new IllegalArgumentException("maxWait is not negative");
    }
  }
}
