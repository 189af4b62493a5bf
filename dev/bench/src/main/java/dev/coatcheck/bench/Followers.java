package dev.coatcheck.bench;

import dev.coatcheck.processes.ServerProcess;
import dev.coatcheck.processes.StackSettings;
import dev.coatcheck.processes.StackSettings.Heap;
import java.time.Duration;
import java.util.List;

/** Many callers who follow a job each, on a small web tier. */
final class Followers implements Scenario {
  private static final int JOBS = 1_000;
  private static final int CALL_SECONDS = 15;
  private static final int PRODUCERS = 4;
  private static final int WARM_UP = 400;
  private static final int EVENTS_A_JOB = 5;
  private static final double MIB = 1024.0 * 1024;
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Figure OPEN = Figure.of("streams open at once", "").atLeast(JOBS);
  private static final Figure OPENED = Figure.of("to open them all", "s");
  private static final Figure LATE_P50 = Figure.of("an end, from its row to its caller, p50", "ms");
  private static final Figure LATE_P95 =
      Figure.of("an end, from its row to its caller, p95", "ms").atMost(500);
  private static final Figure POOL =
      Figure.of("busy in the web pool while they wait, median", "").atMost(0);
  private static final Figure HEAP = Figure.of("app's heap in use, most seen", "MiB");
  private static final Figure RESIDENT =
      Figure.of("app's resident memory, peak", "MiB").atMost(512);

  @Override
  public String about() {
    return "%,d streams, one a job of %d s, on a web pool of 5 and a heap of 256 MiB"
        .formatted(JOBS, CALL_SECONDS);
  }

  @Override
  public StackSettings settings(StackSettings common) {
    var heap =
        new Heap("256m", common.heap().worker(), common.heap().simulator(), common.heap().jvm());
    return new StackSettings(
            common.postgres(), common.logs(), common.workers(), heap, common.properties())
        .with("coatcheck.worker.concurrency", String.valueOf(JOBS + 500))
        .with("spring.datasource.hikari.maximum-pool-size", "5");
  }

  /** A little at a time: what is measured is what waits, on a small pool. */
  @Override
  public void prepare(Stage stage) throws Exception {
    var order = Submits.Order.plain(stage.marker("warm"), WARM_UP);
    stage.submits().all(order, PRODUCERS);
    stage.awaitCompleted(order, LIMIT);
  }

  @Override
  public void measure(Stage stage, Figures figures) throws Exception {
    var marker = stage.marker("followers");
    var order =
        new Submits.Order(
            marker,
            JOBS,
            nth -> "Order %s%d. [[sim: ok delay=%ds]]".formatted(marker, nth, CALL_SECONDS));
    stage.simulator().clear();
    var busy = new Samples();
    var heap = new Samples();
    var open = new Samples();
    var app = stage.stack().app();
    List<String> paths = stage.submits().all(order, PRODUCERS).paths();
    long start = System.nanoTime();
    try (var followers = Follower.all(app.url(), paths);
        var looks = Sampler.start(() -> look(app, open, heap, busy))) {
      followers.awaitOpen(LIMIT);
      figures.add(OPENED, (System.nanoTime() - start) / 1e9);
      Samples late = followers.awaitEnds(LIMIT, EVENTS_A_JOB);
      looks.check();
      figures.add(LATE_P50, late.median());
      figures.add(LATE_P95, late.percentile(95));
    }
    stage.awaitCompleted(order, LIMIT);
    figures.add(OPEN, open.percentile(100));
    figures.add(POOL, busy.median());
    figures.add(HEAP, heap.percentile(100));
    figures.add(RESIDENT, Memory.peakMiB(app.process().pid()));
  }

  private static void look(ServerProcess app, Samples open, Samples heap, Samples busy) {
    open.add(app.metric("coatcheck_streams", ""));
    heap.add(app.metric("jvm_memory_used_bytes", "area=\"heap\"") / MIB);
    busy.add(app.metric("hikaricp_connections_active", "web"));
  }
}
