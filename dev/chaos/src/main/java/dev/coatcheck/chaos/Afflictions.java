package dev.coatcheck.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Faults of one worker that last while others go on; one at a time. */
final class Afflictions {
  private static final long TIME_TO_END_S = 60;

  private final Semaphore one = new Semaphore(1);
  private final List<Thread> threads = new ArrayList<>();

  /** Returns when no other one lasts. */
  void await() {
    try {
      if (!one.tryAcquire(TIME_TO_END_S, TimeUnit.SECONDS)) {
        throw new ChaosFailed("a fault does not end");
      }
      one.release();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChaosFailed("interrupted");
    }
  }

  /** Undoes something after its time. Only after {@link #await}. */
  void endAfter(Duration length, Runnable end) {
    one.acquireUninterruptibly();
    threads.add(
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    Cluster.rest(length.toMillis());
                    end.run();
                  } finally {
                    one.release();
                  }
                }));
  }

  void awaitAll() throws InterruptedException {
    for (var thread : threads) {
      thread.join();
    }
  }
}
