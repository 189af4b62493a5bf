package dev.coatcheck.db.dispatch;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jobrunr.server.threadpool.JobRunrExecutor;
import org.jspecify.annotations.Nullable;

/**
 * Runs each claimed dispatch on a virtual thread with the slot that was reserved for it. The slot
 * goes back when that thread ends, unless a run has taken it.
 */
final class SlotExecutor implements JobRunrExecutor {
  /** The slot of the dispatch that this thread works on. */
  static final ScopedValue<Slot> SLOT = ScopedValue.newInstance();

  private final Slots slots;
  private volatile @Nullable ExecutorService threads;

  SlotExecutor(Slots slots) {
    this.slots = slots;
  }

  @Override
  public int getWorkerCount() {
    return slots.capacity();
  }

  @Override
  public void start() {
    threads = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("dispatch-", 0).factory());
  }

  @Override
  public void execute(Runnable command) {
    Slot slot = slots.of(DispatchKind.current()).slot();
    ExecutorService current = threads;
    try {
      if (current == null) {
        slot.release();
      } else {
        current.execute(() -> runWith(slot, command));
      }
    } catch (RejectedExecutionException stopped) {
      slot.release();
    }
  }

  private static void runWith(Slot slot, Runnable command) {
    try {
      ScopedValue.where(SLOT, slot).run(command);
    } finally {
      if (!slot.isTaken()) {
        slot.release();
      }
    }
  }

  /** Interrupts the threads that still wait after that time; runs are not touched. */
  @Override
  public void stop(Duration patience) {
    ExecutorService current = threads;
    threads = null;
    if (current == null) {
      return;
    }
    current.shutdown();
    try {
      if (!current.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        current.shutdownNow();
        current.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      current.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
