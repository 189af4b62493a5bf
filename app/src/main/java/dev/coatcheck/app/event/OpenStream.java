package dev.coatcheck.app.event;

import dev.coatcheck.db.intake.FindEvents.Followed;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** One caller who follows a job's events: how far he is, and a bell that wakes him. */
final class OpenStream {
  private final Followed followed;
  private final Semaphore bell = new Semaphore(0);
  private volatile int delivered;
  private volatile boolean closed;

  OpenStream(Followed followed, int delivered) {
    this.followed = followed;
    this.delivered = delivered;
  }

  Followed followed() {
    return followed;
  }

  /** The newest event's number that was written to the caller. */
  int delivered() {
    return delivered;
  }

  void deliver(int number) {
    delivered = number;
  }

  void ring() {
    bell.release();
  }

  /** Nothing more comes: the process stops, or the job is gone. */
  void end() {
    closed = true;
    ring();
  }

  boolean isClosed() {
    return closed;
  }

  /** Waits for the bell, at most that long. What rang since the last wait counts. */
  void await(Duration longest) throws InterruptedException {
    if (bell.tryAcquire(Math.max(0, longest.toNanos()), TimeUnit.NANOSECONDS)) {
      bell.drainPermits();
    }
  }
}
