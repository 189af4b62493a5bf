package dev.coatcheck.bench;

import java.sql.SQLException;

/** Jobs by our own way: over HTTP, to a worker that stands still meanwhile. */
record OurWork(Stage stage) implements Work {
  @Override
  public String name() {
    return "coatcheck";
  }

  @Override
  public Taken take(String marker, int count, int producers) throws Exception {
    stage.worker().process().pause();
    var intake = stage.submits().all(Submits.Order.plain(marker, count), producers);
    var latency = intake.latencyMs();
    return new Taken(intake.perSecond(), latency.median(), latency.percentile(99));
  }

  @Override
  public void drain(String marker, int count) throws Exception {
    stage.worker().process().resume();
    stage.awaitCompleted(Submits.Order.plain(marker, count), LIMIT);
  }

  @Override
  public double endOf(String marker, int nth) throws SQLException {
    return stage
        .database()
        .number(
            """
            select extract(epoch from ended_at) from job where idempotency_key like ?
            order by ended_at offset ? limit 1
            """,
            marker + "%",
            nth - 1);
  }

  @Override
  public double cpuSeconds() {
    return CpuTime.seconds(stage.stack().app().process().pid())
        + CpuTime.seconds(stage.worker().process().pid());
  }
}
