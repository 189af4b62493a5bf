package dev.coatcheck.bench;

import java.time.Duration;

/** Lets the JVMs compile what they will be measured by. */
final class WarmUp {
  private static final int JOBS = 2_000;
  private static final int PRODUCERS = 8;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private WarmUp() {}

  static void run(Stage stage) throws Exception {
    var order = Submits.Order.plain(stage.marker("warm"), JOBS);
    stage.submits().all(order, PRODUCERS);
    stage.awaitCompleted(order, LIMIT);
    stage.simulator().clear();
  }
}
