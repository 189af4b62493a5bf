package dev.coatcheck.db.pool;

import dev.coatcheck.db.time.Pause;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repeats what must reach the database while that is away. What it repeats must be safe to do
 * twice, since a commit whose answer was lost looks like one that failed.
 */
public final class Insist {
  private static final Logger log = LoggerFactory.getLogger(Insist.class);

  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final Pause pause;

  public Insist(Pause pause) {
    this.pause = pause;
  }

  /**
   * Returns what the work returned.
   *
   * @param giveUp asked after each failure for want of a database; true gives up
   * @return empty if it was given up
   */
  public <T> Optional<T> on(Supplier<T> work, BooleanSupplier giveUp) throws InterruptedException {
    for (Duration rest = FIRST_PAUSE; ; rest = longer(rest)) {
      try {
        return Optional.of(work.get());
      } catch (RuntimeException e) {
        if (!JudgeFailure.isAway(e)) {
          throw e;
        }
        log.debug("the database is away, a write is tried again");
        if (giveUp.getAsBoolean()) {
          return Optional.empty();
        }
        pause.pause(rest);
      }
    }
  }

  private static Duration longer(Duration rest) {
    Duration twice = rest.multipliedBy(2);
    return twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
  }
}
