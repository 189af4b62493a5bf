package dev.coatcheck.worker.erase;

import dev.coatcheck.db.erase.SweepJobs;
import dev.coatcheck.db.event.ListenHub;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** The timer that forgets: erases content whose time has come, and then removes jobs. */
public final class ForgetJobs implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(ForgetJobs.class);

  static final Duration PERIOD = Duration.ofSeconds(5);

  /** Batches in one round, so that a round ends; the next one goes on. */
  static final int MAX_BATCHES = 50;

  private final SweepJobs sweep;
  private final ListenHub hub;
  private final Counter erased;
  private final Counter removed;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("coatcheck-forget").daemon().factory());
  private volatile boolean running;

  public ForgetJobs(SweepJobs sweep, ListenHub hub, MeterRegistry meters) {
    this.sweep = sweep;
    this.hub = hub;
    this.erased = meters.counter("coatcheck.jobs.erased");
    this.removed = meters.counter("coatcheck.jobs.removed");
  }

  @Override
  public void start() {
    running = true;
    Future<?> _ =
        timer.scheduleWithFixedDelay(
            this::round, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public void stop() {
    running = false;
    timer.shutdownNow();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  private void round() {
    try {
      all(sweep::erase, erased);
      all(sweep::remove, removed);
    } catch (RuntimeException e) {
      if (hub.isConnected() && running) {
        log.warn("forgetting failed, it is tried again", e);
      }
    }
  }

  private void all(IntSupplier batch, Counter counter) {
    for (int i = 0; i < MAX_BATCHES && running; i++) {
      int done = batch.getAsInt();
      counter.increment(done);
      if (done == 0) {
        return;
      }
    }
  }
}
