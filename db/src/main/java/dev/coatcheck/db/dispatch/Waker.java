package dev.coatcheck.db.dispatch;

import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.job.JobId;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.locks.LockSupport;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.tasks.steward.OnboardNewWorkTask;
import org.jobrunr.storage.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims work, alone in its process. Makes an idle worker pick up at once, where JobRunr alone
 * would wait for its next poll. One thread, so that signals which come close together cause one
 * look, and none is lost.
 */
final class Waker implements ListenHub.Listener, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Waker.class);

  /** The least time between two claims, so that one claims for all that became free meanwhile. */
  static final Duration SPACING = Duration.ofMillis(2);

  /** After a look that could not be made. */
  static final Duration AGAIN = Duration.ofMillis(200);

  private final BackgroundJobServer server;
  private final DispatchStorage storage;
  private final OnboardNewWorkTask onboarding;
  private final Thread thread;
  private volatile boolean signalled;
  private volatile boolean closed;

  Waker(BackgroundJobServer server, DispatchStorage storage) {
    this.server = server;
    this.storage = storage;
    this.onboarding = new OnboardNewWorkTask(server);
    this.thread = Thread.ofPlatform().name("coatcheck-waker").daemon().unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  boolean isThisThread() {
    return Thread.currentThread().equals(thread);
  }

  void signal() {
    signalled = true;
    LockSupport.unpark(thread);
  }

  @Override
  public void heard(Collection<JobId> jobs) {
    signal();
  }

  @Override
  public void gap() {
    signal();
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
      if (!signalled) {
        LockSupport.park(this);
        continue;
      }
      signalled = false;
      boolean looked = onboard();
      LockSupport.parkNanos(this, (looked ? SPACING : AGAIN).toNanos());
      if (!looked) {
        // It is still owed.
        signalled = true;
      }
    }
  }

  private void onboardAll() {
    do {
      onboarding.runTaskThreadSafe();
    } while (storage.lastClaimWasFull() && !closed);
  }

  /** Looks for work; false if it could not. */
  private boolean onboard() {
    try {
      if (!server.isAnnounced() || !server.isRunning()) {
        return false;
      }
      for (DispatchKind kind : DispatchKind.values()) {
        ScopedValue.where(DispatchKind.CLAIMED, kind).run(this::onboardAll);
      }
      return true;
    } catch (StorageException e) {
      log.debug("no look for work, the database is away");
    } catch (Throwable e) {
      log.warn("a look for work failed, the next one may not", e);
    }
    return false;
  }
}
