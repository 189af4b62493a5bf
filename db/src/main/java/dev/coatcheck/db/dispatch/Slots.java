package dev.coatcheck.db.dispatch;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * How many runs a worker may have at once, exactly: a permit is reserved before a dispatch is
 * claimed and belongs to its run. JobRunr's own count does not bound virtual threads.
 */
public final class Slots {
  private static final Slots NO_DELIVERIES = new Slots(0);

  private final int capacity;
  private final @Nullable Slots deliveries;
  private final Semaphore free;
  private final AtomicInteger taken = new AtomicInteger();
  private volatile boolean closed;
  private volatile Runnable freed = () -> {};

  public Slots(int capacity) {
    this(capacity, null);
  }

  /**
   * @param deliveries how many deliveries a worker may try at once beside its runs
   */
  public Slots(int capacity, int deliveries) {
    this(capacity, new Slots(deliveries));
  }

  private Slots(int capacity, @Nullable Slots deliveries) {
    this.capacity = capacity;
    this.deliveries = deliveries;
    this.free = new Semaphore(capacity);
  }

  /** Those of one kind. */
  Slots of(DispatchKind kind) {
    return switch (kind) {
      case RUN -> this;
      case DELIVERY -> deliveries == null ? NO_DELIVERIES : deliveries;
    };
  }

  /** Those of a process that runs nothing. */
  public static Slots none() {
    return new Slots(0);
  }

  public int capacity() {
    return capacity;
  }

  /** Those of dispatches at work; a claim that is under way holds others. */
  public int taken() {
    return taken.get();
  }

  /** Permits that nobody holds. */
  public int permits() {
    return free.availablePermits();
  }

  /** How many more may start now; none once closed. */
  public int free() {
    return closed ? 0 : free.availablePermits();
  }

  /** Reserves as many as are free, at most so many. */
  int reserve(int most) {
    for (int count = Math.min(most, free()); count > 0; count = Math.min(count - 1, free())) {
      if (free.tryAcquire(count)) {
        return count;
      }
    }
    return 0;
  }

  /** Gives back what was reserved and not used. */
  void giveBack(int count) {
    if (count > 0) {
      free.release(count);
    }
  }

  /** A slot that was reserved before. */
  Slot slot() {
    taken.incrementAndGet();
    return new Slot(
        () -> {
          taken.decrementAndGet();
          free.release();
          freed.run();
        });
  }

  void whenFreed(Runnable listener) {
    freed = listener;
    if (deliveries != null) {
      deliveries.whenFreed(listener);
    }
  }

  /** Reserves nothing any more. */
  void close() {
    closed = true;
    if (deliveries != null) {
      deliveries.close();
    }
  }
}
