package dev.coatcheck.db.dispatch;

import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.job.JobId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jobrunr.storage.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Enqueues scheduled dispatches when they are due by the database's clock: never early, and a few
 * milliseconds late. JobRunr alone is up to a poll interval early or late.
 */
final class Promoter implements ListenHub.Listener, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Promoter.class);

  /** The longest rest between two looks, should a notification be lost. */
  static final Duration LONGEST_REST = Duration.ofSeconds(1);

  /** Added to the wait, so that a look finds the dispatch due and not a millisecond before. */
  private static final Duration SLACK = Duration.ofMillis(1);

  private final DispatchStorage storage;
  private final Waker waker;
  private final Thread thread;
  private volatile boolean signalled;
  private volatile boolean closed;

  Promoter(DispatchStorage storage, Waker waker) {
    this.storage = storage;
    this.waker = waker;
    this.thread = Thread.ofPlatform().name("coatcheck-promoter").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  @Override
  public void heard(Collection<JobId> jobs) {
    signalled = true;
    LockSupport.unpark(thread);
  }

  @Override
  public void gap() {
    heard(List.of());
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join(Duration.ofSeconds(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    while (!closed) {
      signalled = false;
      Duration rest = promote();
      if (!signalled && !closed) {
        LockSupport.parkNanos(this, rest.toNanos());
      }
    }
  }

  /** Promotes what is due; returns how long to rest. */
  private Duration promote() {
    try {
      if (storage.promoteDue() > 0) {
        waker.signal();
        return Duration.ZERO;
      }
      return storage
          .untilNextDue()
          .map(until -> until.plus(SLACK))
          .filter(until -> until.compareTo(LONGEST_REST) < 0)
          .map(until -> until.isNegative() ? SLACK : until)
          .orElse(LONGEST_REST);
    } catch (StorageException e) {
      log.debug("nothing promoted, the database is away");
    } catch (Throwable e) {
      log.warn("a look for due dispatches failed, the next one may not", e);
    }
    return LONGEST_REST;
  }
}
