package dev.coatcheck.app.metric;

import dev.coatcheck.app.event.Streams;
import dev.coatcheck.app.event.Waiters;
import dev.coatcheck.db.intake.CountJobs;
import dev.coatcheck.db.intake.DatabaseAway;
import dev.coatcheck.db.job.JobStatus;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** Shows how many jobs are open and how many requests wait. Counted beside the scrapes. */
public final class GaugeJobs implements SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(GaugeJobs.class);

  /** Between two counts. */
  static final Duration PERIOD = Duration.ofSeconds(5);

  private final CountJobs jobs;
  private volatile Map<JobStatus, Long> counts = Map.of();
  private @Nullable ScheduledExecutorService timer;

  public GaugeJobs(CountJobs jobs, Waiters waiters, Streams streams, MeterRegistry meters) {
    this.jobs = jobs;
    for (JobStatus status : JobStatus.values()) {
      if (status.isOpen()) {
        Gauge.builder("coatcheck.jobs", () -> counts.getOrDefault(status, 0L))
            .description("Jobs that have not ended")
            .tag("status", status.text())
            .register(meters);
      }
    }
    Gauge.builder("coatcheck.waiters", waiters::count)
        .description("Requests that wait for a job's end")
        .register(meters);
    Gauge.builder("coatcheck.streams", streams::count)
        .description("Open event streams")
        .register(meters);
  }

  @Override
  public synchronized void start() {
    timer = Executors.newSingleThreadScheduledExecutor(Thread.ofVirtual().factory());
    var _ = timer.scheduleWithFixedDelay(this::count, 0, PERIOD.toMillis(), TimeUnit.MILLISECONDS);
  }

  @Override
  public synchronized void stop() {
    if (timer != null) {
      timer.shutdown();
      timer = null;
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return timer != null;
  }

  private void count() {
    try {
      counts = jobs.open();
    } catch (DatabaseAway e) {
      log.debug("the jobs were not counted, the database is away");
    } catch (RuntimeException e) {
      // Thrown on, it would silence the timer for good.
      log.warn("the jobs were not counted: {}", e.getClass().getName());
    }
  }
}
