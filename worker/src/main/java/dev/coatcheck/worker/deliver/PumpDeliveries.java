package dev.coatcheck.worker.deliver;

import dev.coatcheck.db.delivery.DispatchDeliveries;
import dev.coatcheck.db.delivery.ReviveDeliveries;
import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.job.JobId;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Looks for deliveries that are due: each second, and as soon as a job changes while any job with a
 * webhook is open. So a process whose jobs have none asks once a second, and no more.
 */
final class PumpDeliveries implements SmartLifecycle, ListenHub.Listener {
  private static final Logger log = LoggerFactory.getLogger(PumpDeliveries.class);

  static final Duration LONGEST_REST = Duration.ofSeconds(1);
  static final Duration REVIVAL = Duration.ofSeconds(5);

  /** The least time between two looks, so that one finds all that ended meanwhile. */
  private static final Duration SPACING = Duration.ofMillis(10);

  /** After a look that found nothing: where jobs change often, few of them have a webhook. */
  private static final Duration LONGER_SPACING = Duration.ofMillis(100);

  private final DispatchDeliveries dispatches;
  private final ReviveDeliveries revivals;
  private final ListenHub hub;
  private final Thread thread;
  private volatile boolean expecting = true;
  private volatile boolean signalled;
  private volatile boolean running;
  private long revivedNanos = System.nanoTime();

  PumpDeliveries(DispatchDeliveries dispatches, ReviveDeliveries revivals, ListenHub hub) {
    this.dispatches = dispatches;
    this.revivals = revivals;
    this.hub = hub;
    this.thread = Thread.ofPlatform().name("coatcheck-deliveries").daemon().unstarted(this::run);
  }

  /** There may be room or work. */
  void signal() {
    signalled = true;
    LockSupport.unpark(thread);
  }

  @Override
  public void heard(Collection<JobId> jobs) {
    if (expecting) {
      signal();
    }
  }

  @Override
  public void gap() {
    signal();
  }

  @Override
  public void start() {
    running = true;
    hub.subscribe(Channel.CHANGED, this);
    thread.start();
  }

  @Override
  public void stop() {
    running = false;
    LockSupport.unpark(thread);
    try {
      thread.join(Duration.ofSeconds(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void run() {
    while (running) {
      signalled = false;
      Duration spacing = look() ? SPACING : LONGER_SPACING;
      rest(spacing);
      if (!signalled && running) {
        LockSupport.parkNanos(this, LONGEST_REST.toNanos());
      }
    }
  }

  /** No signal cuts it short. */
  private void rest(Duration spacing) {
    long until = System.nanoTime() + spacing.toNanos();
    for (long left = spacing.toNanos(); left > 0 && running; left = until - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  /** Whether anything was found. */
  private boolean look() {
    boolean found = false;
    try {
      if (System.nanoTime() - revivedNanos >= REVIVAL.toNanos()) {
        revivedNanos = System.nanoTime();
        revive();
      }
      while (dispatches.dispatch() > 0 && running) {
        found = true;
        expecting = true;
      }
      expecting = dispatches.isAnyExpected();
    } catch (Throwable e) {
      // Else it would end the thread for good.
      if (hub.isConnected() && running) {
        log.warn("a look for deliveries failed, it is tried again", e);
      }
    }
    return found;
  }

  private void revive() {
    int revived = revivals.revive();
    if (revived > 0) {
      log.atInfo()
          .setMessage("deliveries were lost with their worker and are sent again")
          .addKeyValue("count", revived)
          .log();
    }
  }
}
