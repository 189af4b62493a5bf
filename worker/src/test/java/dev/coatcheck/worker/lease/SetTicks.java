package dev.coatcheck.worker.lease;

import dev.coatcheck.db.time.Ticks;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/** A monotonic clock that a test sets; nobody waits by it. */
final class SetTicks implements Ticks {
  private final AtomicLong now = new AtomicLong();

  void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  @Override
  public long nanos() {
    return now.get();
  }

  @Override
  public long await(Lock lock, Condition told, long nanos) {
    throw new UnsupportedOperationException();
  }
}
