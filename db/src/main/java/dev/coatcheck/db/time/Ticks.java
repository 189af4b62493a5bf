package dev.coatcheck.db.time;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;

/**
 * The monotonic clock, and waiting by it. Injected, so that a simulation decides what time it is.
 */
public interface Ticks {
  /** The real one. */
  Ticks REAL =
      new Ticks() {
        @Override
        public long nanos() {
          return System.nanoTime();
        }

        @Override
        @SuppressWarnings("WaitNotInLoop") // whoever calls it loops
        public long await(Lock lock, Condition told, long nanos) throws InterruptedException {
          return told.awaitNanos(nanos);
        }
      };

  /** As {@link System#nanoTime}. */
  long nanos();

  /**
   * As {@link Condition#awaitNanos}: it may return early, so call it in a loop.
   *
   * @param lock the condition's own, held by the caller
   */
  long await(Lock lock, Condition told, long nanos) throws InterruptedException;
}
