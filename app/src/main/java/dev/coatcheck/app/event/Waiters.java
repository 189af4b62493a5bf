package dev.coatcheck.app.event;

import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.intake.DatabaseAway;
import dev.coatcheck.db.job.JobId;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Requests that wait for a job's change. They hold a virtual thread and nothing else: one ear
 * listens for all of them. A waiter registers, then reads, then waits, so that no change is missed
 * between.
 */
public final class Waiters implements ListenHub.Listener {
  /** Requests that may wait at once; one more is answered at once. */
  public static final int MAX_WAITING = 20_000;

  /** How long a waiter trusts silence: a notification may be lost. */
  static final Duration LONGEST_SILENCE = Duration.ofSeconds(10);

  /** Waiters that read at once after a wake-up, so that they leave connections to others. */
  private static final int READING = 4;

  private final ConcurrentMap<JobId, Set<Semaphore>> waiting = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final Semaphore reading = new Semaphore(READING);
  private volatile boolean closed;

  /** What came of waiting. */
  public enum Outcome {
    /** It is so. */
    DONE,
    /** The time is up, or the process stops. */
    TIME_IS_UP,
    /** Too many wait already. */
    FULL
  }

  /** How many requests wait. */
  public int count() {
    return count.get();
  }

  /**
   * Waits until it is so, at most that long.
   *
   * @param isDone reads the database
   */
  public Outcome await(JobId job, Duration longest, BooleanSupplier isDone)
      throws InterruptedException {
    if (count.incrementAndGet() > MAX_WAITING) {
      count.decrementAndGet();
      return Outcome.FULL;
    }
    var bell = new Semaphore(0);
    add(job, bell);
    try {
      return await(bell, System.nanoTime() + longest.toNanos(), isDone);
    } finally {
      remove(job, bell);
      count.decrementAndGet();
    }
  }

  private Outcome await(Semaphore bell, long end, BooleanSupplier isDone)
      throws InterruptedException {
    while (true) {
      if (isDoneInTurn(end, isDone)) {
        return Outcome.DONE;
      }
      long left = end - System.nanoTime();
      if (left <= 0 || closed) {
        return Outcome.TIME_IS_UP;
      }
      if (bell.tryAcquire(Math.min(left, LONGEST_SILENCE.toNanos()), TimeUnit.NANOSECONDS)) {
        bell.drainPermits();
      }
    }
  }

  private boolean isDoneInTurn(long end, BooleanSupplier isDone) throws InterruptedException {
    if (!reading.tryAcquire(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS)) {
      return false;
    }
    try {
      return isDone.getAsBoolean();
    } catch (DatabaseAway e) {
      // The wait outlives an outage; what is answered in the end is read again.
      return false;
    } finally {
      reading.release();
    }
  }

  @Override
  public void heard(Collection<JobId> jobs) {
    for (JobId job : jobs) {
      waiting.getOrDefault(job, Set.of()).forEach(Semaphore::release);
    }
  }

  @Override
  public void gap() {
    waiting.values().forEach(bells -> bells.forEach(Semaphore::release));
  }

  /** Lets all go, and whoever comes. */
  public void close() {
    closed = true;
    gap();
  }

  private void add(JobId job, Semaphore bell) {
    waiting.compute(
        job,
        (id, bells) -> {
          Set<Semaphore> all = bells == null ? ConcurrentHashMap.newKeySet() : bells;
          all.add(bell);
          return all;
        });
  }

  private void remove(JobId job, Semaphore bell) {
    waiting.computeIfPresent(
        job,
        (id, bells) -> {
          bells.remove(bell);
          return bells.isEmpty() ? null : bells;
        });
  }
}
