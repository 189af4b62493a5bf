package dev.coatcheck.bench;

import dev.coatcheck.processes.ServerProcess;
import dev.coatcheck.processes.StackSettings;
import java.time.Duration;
import java.util.List;

/** Many calls open at once, while their callers poll. */
final class InFlight implements Scenario {
  private static final int JOBS = 2_000;
  private static final int CALL_SECONDS = 15;
  private static final int PRODUCERS = 16;
  private static final int POLLS_A_SECOND = 200;
  private static final double MIB = 1024.0 * 1024;
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Figure AT_ONCE = Figure.of("calls open at once", "").atLeast(JOBS);
  private static final Figure MAKESPAN = Figure.of("first submit to last end", "s");
  private static final Figure INTAKE = Figure.of("intake with the worker running", "/s");
  private static final Figure POLL_P50 = Figure.of("poll, p50", "ms");
  private static final Figure POLL_P95 = Figure.of("poll, p95", "ms").atMost(100);
  private static final Figure POLL_P99 = Figure.of("poll, p99", "ms");
  private static final Figure POOL =
      Figure.of("busy in the engine pool meanwhile, median", "").atMost(0);
  private static final Figure POOL_MOST =
      Figure.of("busy in the engine pool meanwhile, most seen", "");
  private static final Figure HEAP =
      Figure.of("worker's heap in use, most seen", "MiB").atMost(1024);
  private static final Figure RESIDENT = Figure.of("worker's resident memory, peak", "MiB");

  @Override
  public String about() {
    return "%,d jobs of %d s at once on pools of 10, polled %d times a second"
        .formatted(JOBS, CALL_SECONDS, POLLS_A_SECOND);
  }

  @Override
  public StackSettings settings(StackSettings common) {
    return common.with("coatcheck.worker.concurrency", String.valueOf(JOBS + 500));
  }

  @Override
  public void measure(Stage stage, Figures figures) throws Exception {
    var marker = stage.marker("inflight");
    var order =
        new Submits.Order(
            marker,
            JOBS,
            nth -> "Order %s%d. [[sim: ok delay=%ds]]".formatted(marker, nth, CALL_SECONDS));
    stage.simulator().clear();
    var busy = new Samples();
    var heap = new Samples();
    long start = System.nanoTime();
    Submits.Intake intake;
    Samples polls;
    try (var heaps = Sampler.start(() -> heap.add(heap(stage.worker())))) {
      intake = stage.submits().all(order, PRODUCERS);
      try (var pools = Sampler.start(() -> busy.add(busy(stage.worker())))) {
        polls = poll(stage, intake.paths());
        pools.check();
      }
      stage.awaitCompleted(order, LIMIT);
      heaps.check();
    }
    figures.add(AT_ONCE, stage.simulator().counts().peakOpen());
    figures.add(MAKESPAN, (System.nanoTime() - start) / 1e9);
    figures.add(INTAKE, intake.perSecond());
    figures.add(POLL_P50, polls.median());
    figures.add(POLL_P95, polls.percentile(95));
    figures.add(POLL_P99, polls.percentile(99));
    figures.add(POOL, busy.median());
    figures.add(POOL_MOST, busy.percentile(100));
    figures.add(HEAP, heap.percentile(100));
    figures.add(RESIDENT, Memory.peakMiB(stage.worker().process().pid()));
    if (stage.simulator().counts().received() != JOBS) {
      throw new BenchFailed("the provider got " + stage.simulator().counts());
    }
  }

  private static double busy(ServerProcess worker) {
    return worker.metric("hikaricp_connections_active", "engine");
  }

  private static double heap(ServerProcess worker) {
    return worker.metric("jvm_memory_used_bytes", "area=\"heap\"") / MIB;
  }

  /** From the last submit on until the calls end. */
  private static Samples poll(Stage stage, List<String> paths) throws Exception {
    var polls = new Polls(stage.stack().app().url(), paths);
    return polls.run(POLLS_A_SECOND, Duration.ofSeconds(CALL_SECONDS));
  }
}
