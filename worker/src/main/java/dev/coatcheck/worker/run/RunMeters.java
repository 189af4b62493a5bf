package dev.coatcheck.worker.run;

import dev.coatcheck.db.dispatch.Slots;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;

/**
 * What a worker measures of its runs. Labels are codes and providers' names, never a caller's text.
 */
public final class RunMeters {
  private final MeterRegistry registry;
  private final Counter lost;
  private final Counter refused;

  public RunMeters(MeterRegistry registry, Slots slots) {
    this.registry = registry;
    this.lost = registry.counter("coatcheck.leases.lost");
    this.refused = registry.counter("coatcheck.writes.refused");
    Gauge.builder("coatcheck.runs.in.flight", slots, Slots::taken).register(registry);
  }

  /** From the moment a job might run, by its submit or its wake-up, to its run. */
  void pickedUp(Duration wait) {
    timer("coatcheck.pickup").record(wait);
  }

  void attempt(String provider, String state, String code) {
    registry
        .counter("coatcheck.attempts", "provider", provider, "state", state, "code", code)
        .increment();
  }

  void waits(String reason, Duration wait) {
    Timer.builder("coatcheck.wait").tag("reason", reason).register(registry).record(wait);
  }

  void ended(String status) {
    registry.counter("coatcheck.jobs.ended", "status", status).increment();
  }

  /** A run was not the one to say how its job is left. */
  void leaseLost() {
    lost.increment();
  }

  /** A stale write: the epoch that it names is not the job's any more. */
  void writeRefused() {
    refused.increment();
  }

  private Timer timer(String name) {
    return Timer.builder(name).publishPercentileHistogram().register(registry);
  }
}
