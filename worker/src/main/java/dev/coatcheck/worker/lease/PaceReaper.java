package dev.coatcheck.worker.lease;

import dev.coatcheck.db.time.Ticks;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Says when to reap: each {@link #PERIOD}, and only once the database has been seen for half a
 * lease without a break, so that workers which outlived an outage renew first.
 */
final class PaceReaper {
  static final Duration PERIOD = Duration.ofSeconds(5);

  private final Duration patience;
  private final Supplier<Duration> seenFor;
  private final Ticks ticks;
  private long next;

  /**
   * @param seenFor for how long the database has been seen without a break
   */
  PaceReaper(Duration lease, Supplier<Duration> seenFor, Ticks ticks) {
    this.patience = lease.dividedBy(2);
    this.seenFor = seenFor;
    this.ticks = ticks;
    this.next = ticks.nanos();
  }

  /** Reaps if it is time to; what failed is due again at once. */
  void reap(Runnable reaper) {
    boolean isDue = ticks.nanos() - next >= 0;
    if (isDue && seenFor.get().compareTo(patience) >= 0) {
      reaper.run();
      next = ticks.nanos() + PERIOD.toNanos();
    }
  }
}
