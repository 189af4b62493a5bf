package dev.coatcheck.bench;

import java.time.Duration;
import java.time.Instant;

/** Milliseconds with their fraction. All processes of a run share one machine's clock. */
final class Millis {
  private Millis() {}

  static double between(Instant start, Instant end) {
    return Duration.between(start, end).toNanos() / 1e6;
  }
}
