package dev.coatcheck.worker.deliver;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** When a webhook that was not taken is sent again: nine times, over three days and a half. */
final class Schedule {
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(5),
          Duration.ofMinutes(5),
          Duration.ofMinutes(30),
          Duration.ofHours(2),
          Duration.ofHours(5),
          Duration.ofHours(10),
          Duration.ofHours(14),
          Duration.ofHours(20),
          Duration.ofHours(24));

  /** Added at most, as a part of the pause, so that what failed together parts company. */
  private static final double JITTER = 0.1;

  private final RandomGenerator random;

  Schedule(RandomGenerator random) {
    this.random = random;
  }

  /**
   * The pause after a failure; empty after the last.
   *
   * @param failures those before this one
   * @param asked the pause that the endpoint asked for
   */
  Optional<Duration> after(int failures, Optional<Duration> asked) {
    if (failures >= PAUSES.size()) {
      return Optional.empty();
    }
    Duration pause = PAUSES.get(failures);
    Duration least = asked.filter(wish -> wish.compareTo(pause) > 0).orElse(pause);
    return Optional.of(least.plusMillis((long) (random.nextDouble() * JITTER * pause.toMillis())));
  }
}
