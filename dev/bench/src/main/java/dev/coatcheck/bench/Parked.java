package dev.coatcheck.bench;

import dev.coatcheck.processes.SimulatorProcess.Received;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How late a parked job comes back, by the instant it was parked until. */
final class Parked implements Scenario {
  private static final int JOBS = 300;
  private static final int RETRY_AFTER_S = 3;
  private static final int GAP_MS = 10;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Figure EARLIEST =
      Figure.of("lateness, least (never early)", "ms").atLeast(0);
  private static final Figure P50 = Figure.of("lateness, p50", "ms");
  private static final Figure P99 = Figure.of("lateness, p99", "ms").atMost(250);
  private static final Figure SHORTEST =
      Figure.of("from the 429 to the next request, least", "ms").atLeast(1_000 * RETRY_AFTER_S);

  @Override
  public String about() {
    return "%d jobs, each answered 429 with Retry-After: %d once; one each %d ms, the worker idle"
        .formatted(JOBS, RETRY_AFTER_S, GAP_MS);
  }

  @Override
  public void measure(Stage stage, Figures figures) throws Exception {
    var marker = stage.marker("parked");
    var order =
        new Submits.Order(
            marker,
            JOBS,
            nth ->
                "Order %s%d. [[sim: 429 retry-after=%d, ok]]"
                    .formatted(marker, nth, RETRY_AFTER_S));
    try (var caller = new Caller(stage.stack().app().url())) {
      for (int nth = 0; nth < JOBS; nth++) {
        caller.send(Submits.request(caller, order, nth)).expect(202);
        Thread.sleep(GAP_MS);
      }
    }
    stage.awaitCompleted(order, LIMIT);
    measure(stage, order, figures);
  }

  private static void measure(Stage stage, Submits.Order order, Figures figures)
      throws SQLException {
    var requests = byPrompt(stage.simulator().received(order.marker()));
    var lateness = new Samples();
    var pauses = new Samples();
    for (int nth = 0; nth < order.count(); nth++) {
      var pair = requests.getOrDefault(order.prompt().apply(nth), List.of());
      if (pair.size() != 2) {
        throw new BenchFailed("job %d was sent %d times".formatted(nth, pair.size()));
      }
      lateness.add(Millis.between(wakeAt(stage, order.marker() + nth), pair.get(1).at()));
      pauses.add(Millis.between(pair.get(0).at(), pair.get(1).at()));
    }
    figures.add(EARLIEST, lateness.percentile(0));
    figures.add(P50, lateness.median());
    figures.add(P99, lateness.percentile(99));
    figures.add(SHORTEST, pauses.percentile(0));
  }

  private static Map<String, List<Received>> byPrompt(List<Received> received) {
    var requests = new HashMap<String, List<Received>>();
    received.forEach(one -> requests.merge(one.prompt(), List.of(one), Parked::joined));
    return requests;
  }

  private static List<Received> joined(List<Received> earlier, List<Received> later) {
    return List.of(earlier.getFirst(), later.getFirst());
  }

  private static Instant wakeAt(Stage stage, String idempotencyKey) throws SQLException {
    double micros =
        stage
            .database()
            .number(
                """
                select extract(epoch from wait_until) * 1000000
                from attempt join job on job.id = attempt.job_id
                where job.idempotency_key = ? and attempt.number = 1
                """,
                idempotencyKey);
    return Instant.EPOCH.plusNanos(Math.round(micros) * 1_000);
  }
}
