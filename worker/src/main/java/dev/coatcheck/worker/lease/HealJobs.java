package dev.coatcheck.worker.lease;

import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.lease.DoubtLostCalls;
import dev.coatcheck.db.lease.ExpireJobs;
import dev.coatcheck.db.lease.ReapLeases;
import dev.coatcheck.db.lease.ReconcileDispatches;
import dev.coatcheck.db.time.Ticks;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** The plain timers that heal, in every worker. */
public final class HealJobs implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(HealJobs.class);

  /** How often it is asked whether to reap, so that it happens as soon as it may. */
  static final Duration LOOK = Duration.ofMillis(500);

  static final Duration EXPIRE = Duration.ofSeconds(1);
  static final Duration RECONCILE = Duration.ofSeconds(15);
  static final Duration DOUBT = Duration.ofMinutes(1);

  /** Batches in one round, so that a round ends; the next one goes on. */
  static final int MAX_BATCHES = 100;

  /**
   * @param lease how long a lease runs
   * @param owner whether other processes may hold leases in this database
   */
  public record Settings(Duration lease, Owner owner) {}

  /** Whose leases there may be in the database. */
  public enum Owner {
    /** Those of any number of workers. */
    SHARED,
    /** This process alone uses it, so the leases found at its start are a dead process's. */
    ALONE
  }

  private final ReapLeases reaper;
  private final ExpireJobs expirer;
  private final ReconcileDispatches reconciler;
  private final DoubtLostCalls doubter;
  private final ListenHub hub;
  private final Settings settings;
  private final Counter reaped;
  private final Counter expired;
  private final Counter reconciled;
  private final Counter doubted;
  private final ScheduledExecutorService timers;
  private final PaceReaper pace;
  private volatile boolean running;

  public HealJobs(Healers healers, ListenHub hub, Settings settings, MeterRegistry meters) {
    this.reaper = healers.reaper;
    this.expirer = healers.expirer;
    this.reconciler = healers.reconciler;
    this.doubter = healers.doubter;
    this.hub = hub;
    this.settings = settings;
    this.pace = new PaceReaper(settings.lease(), hub::connectedFor, Ticks.REAL);
    this.reaped = meters.counter("coatcheck.leases.reaped");
    this.expired = meters.counter("coatcheck.jobs.expired");
    this.reconciled = meters.counter("coatcheck.dispatches.reconciled");
    this.doubted = meters.counter("coatcheck.tool.calls.lost");
    this.timers =
        Executors.newScheduledThreadPool(
            3, Thread.ofPlatform().name("coatcheck-heal-", 0).daemon().factory());
  }

  /** The statements that do it. */
  public record Healers(
      ReapLeases reaper,
      ExpireJobs expirer,
      ReconcileDispatches reconciler,
      DoubtLostCalls doubter) {}

  @Override
  public void start() {
    if (settings.owner() == Owner.ALONE) {
      reaper.forfeitAll();
      round(reaper::reap, reaped);
    }
    every(LOOK, () -> pace.reap(() -> round(reaper::reap, reaped)));
    every(EXPIRE, () -> round(expirer::expire, expired));
    every(RECONCILE, () -> round(reconciler::reconcile, reconciled));
    every(DOUBT, () -> round(doubter::doubt, doubted));
    running = true;
  }

  @Override
  public void stop() {
    timers.shutdownNow();
    running = false;
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void every(Duration period, Runnable task) {
    Future<?> _ =
        timers.scheduleWithFixedDelay(
            () -> quietly(task), period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void round(Supplier<List<JobId>> batch, Counter counter) {
    for (int i = 0; i < MAX_BATCHES; i++) {
      int healed = batch.get().size();
      counter.increment(healed);
      if (healed == 0) {
        return;
      }
    }
  }

  /** Whatever is thrown ends here: it would end the timer for good. */
  private void quietly(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) {
      if (hub.isConnected() && running) {
        log.warn("healing failed, it is tried again", e);
      }
    }
  }
}
