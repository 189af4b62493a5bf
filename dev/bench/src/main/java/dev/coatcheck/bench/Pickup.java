package dev.coatcheck.bench;

import dev.coatcheck.processes.SimulatorProcess.Received;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.SplittableRandom;

/** From the first byte of an idle submit to the provider's having the request. */
final class Pickup implements Scenario {
  private static final int JOBS = 300;
  private static final int SHORTEST_GAP_MS = 50;
  private static final int LONGEST_GAP_MS = 80;
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Figure P50 = Figure.of("submit to provider, p50", "ms").atMost(15);
  private static final Figure P99 = Figure.of("submit to provider, p99", "ms").atMost(60);
  private static final Figure ANSWER = Figure.of("of which until the 202, p50", "ms");

  @Override
  public String about() {
    return "%d idle submits over HTTP, one each %d to %d ms"
        .formatted(JOBS, SHORTEST_GAP_MS, LONGEST_GAP_MS);
  }

  @Override
  public void measure(Stage stage, Figures figures) throws Exception {
    var order = Submits.Order.plain(stage.marker("pickup"), JOBS);
    var accepted = new Samples();
    var sent = submitSlowly(stage, order, accepted);
    stage.awaitCompleted(order, LIMIT);

    var toProvider = toProvider(order, sent, stage.simulator().received(order.marker()));
    figures.add(P50, toProvider.percentile(50));
    figures.add(P99, toProvider.percentile(99));
    figures.add(ANSWER, accepted.median());
  }

  private static List<Instant> submitSlowly(Stage stage, Submits.Order order, Samples accepted)
      throws Exception {
    var sent = new ArrayList<Instant>();
    var random = new SplittableRandom(1);
    try (var caller = new Caller(stage.stack().app().url())) {
      for (int nth = 0; nth < order.count(); nth++) {
        var request = Submits.request(caller, order, nth);
        var start = Instant.now();
        sent.add(start);
        caller.send(request).expect(202);
        accepted.add(Millis.between(start, Instant.now()));
        Thread.sleep(random.nextInt(SHORTEST_GAP_MS, LONGEST_GAP_MS + 1));
      }
    }
    return sent;
  }

  private static Samples toProvider(
      Submits.Order order, List<Instant> sent, List<Received> received) {
    var arrivals = new HashMap<String, Instant>();
    received.forEach(request -> arrivals.put(request.prompt(), request.at()));
    if (received.size() != order.count() || arrivals.size() != order.count()) {
      throw new BenchFailed("the provider got %d requests".formatted(received.size()));
    }
    var toProvider = new Samples();
    for (int nth = 0; nth < order.count(); nth++) {
      var arrival = arrivals.get(order.prompt().apply(nth));
      if (arrival == null) {
        throw new BenchFailed("the provider never got " + order.prompt().apply(nth));
      }
      toProvider.add(Millis.between(sent.get(nth), arrival));
    }
    return toProvider;
  }
}
