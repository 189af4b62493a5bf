package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.time.Ticks;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** The schedule's time as a monotonic clock. Whoever waits looks again every now and then. */
record SimulatedTicks(Schedule schedule) implements Ticks {
  private static final long LOOK_AGAIN = Duration.ofMillis(500).toNanos();

  @Override
  public long nanos() {
    return schedule.now();
  }

  @Override
  public long await(Lock lock, Condition told, long nanos) {
    long end = schedule.now() + nanos;
    lock.unlock();
    try {
      schedule.rest(Math.min(nanos, LOOK_AGAIN));
    } finally {
      lock.lock();
    }
    return end - schedule.now();
  }
}
