package dev.coatcheck.db.dispatch;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.ListenHub;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.storage.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * What makes JobRunr's server quick and keeps it alive: the {@link Waker}, the {@link Promoter}, a
 * supervisor and a janitor. It stops first of all, so that no new work is taken.
 */
public final class DispatchServer implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(DispatchServer.class);

  /** How often the supervisor looks whether JobRunr's server still runs. */
  static final Duration SUPERVISION = Duration.ofSeconds(1);

  /** How often ended dispatches are deleted. */
  static final Duration CLEANING = Duration.ofMinutes(1);

  /** How long a dispatch that succeeded or was deleted stays to be looked at. */
  static final Duration KEEP_ENDED = Duration.ofHours(1);

  /** How long one that failed stays. JobRunr itself never cleans those. */
  static final Duration KEEP_FAILED = Duration.ofDays(7);

  private final BackgroundJobServer server;
  private final DispatchStorage storage;
  private final Slots slots;
  private final ListenHub hub;
  private final InstantSource clock;
  private final Waker waker;
  private final Promoter promoter;
  private final ScheduledExecutorService timer;
  private volatile boolean running;
  private boolean announced;

  DispatchServer(BackgroundJobServer server, DispatchStorage storage, Slots slots, ListenHub hub) {
    this.server = server;
    this.storage = storage;
    this.slots = slots;
    this.hub = hub;
    this.clock = storage.clock();
    this.waker = new Waker(server, storage);
    this.promoter = new Promoter(storage, waker);
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("coatcheck-dispatch-timer").daemon().factory());
  }

  @Override
  public void start() {
    hub.subscribe(Channel.DISPATCHED, waker);
    hub.subscribe(Channel.DISPATCHED, promoter);
    slots.whenFreed(waker::signal);
    storage.claimBy(waker);
    waker.start();
    promoter.start();
    waker.signal();
    every(SUPERVISION, this::supervise);
    every(CLEANING, this::clean);
    running = true;
  }

  @Override
  public void stop() {
    slots.close();
    timer.shutdownNow();
    if (running) {
      promoter.close();
      waker.close();
      running = false;
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void every(Duration period, Runnable task) {
    Future<?> _ =
        timer.scheduleWithFixedDelay(
            () -> quietly(task), period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void quietly(Runnable task) {
    try {
      task.run();
    } catch (StorageException e) {
      log.debug("put off, the database is away");
    } catch (Throwable e) {
      log.warn("the dispatch timer's task failed", e);
    }
  }

  /**
   * One failed heartbeat ends JobRunr's server for good, and so does a start in which it could not
   * be announced. So it is started whenever it does not run, however often.
   */
  private void supervise() {
    if (server.isRunning()) {
      if (!announced) {
        // It was not announced when the first signals came.
        announced = server.isAnnounced();
        waker.signal();
      }
    } else if (hub.isConnected()) {
      if (announced) {
        log.warn("JobRunr's server had stopped; starting it again");
      }
      server.stop();
      server.start();
      announced = false;
    }
  }

  /** Deletes ended dispatches after their time. */
  void clean() {
    storage.deleteJobsPermanently(StateName.SUCCEEDED, clock.instant().minus(KEEP_ENDED));
    storage.deleteJobsPermanently(StateName.DELETED, clock.instant().minus(KEEP_ENDED));
    storage.deleteJobsPermanently(StateName.FAILED, clock.instant().minus(KEEP_FAILED));
  }
}
