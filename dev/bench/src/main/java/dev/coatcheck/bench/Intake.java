package dev.coatcheck.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How fast jobs are taken and worked off, and what that costs, beside plain JobRunr. */
final class Intake implements Scenario {
  private static final int JOBS = 5_000;
  private static final int PRODUCERS = 16;
  private static final int WARM_UP_JOBS = 2_000;
  private static final Figure TAKEN = Figure.of("intake", "/s");
  private static final Figure TAKEN_P50 = Figure.of("intake, p50", "ms");
  private static final Figure TAKEN_P99 = Figure.of("intake, p99", "ms");
  private static final Figure DRAIN = Figure.of("drain", "/s");
  private static final Figure SECOND_HALF = Figure.of("drain, second half", "/s");
  private static final Figure CPU = Figure.of("CPU of engine and database, a 1,000 jobs", "s");
  private static final Figure CPU_DATABASE = Figure.of("of which the database's", "s");
  private static final Figure WAL = Figure.of("write-ahead log, a job", "B");
  private static final List<Figure> COMPARED = List.of(TAKEN, DRAIN, SECOND_HALF, CPU, WAL);

  private @Nullable Work stock;

  @Override
  public String about() {
    return "%,d zero-latency jobs taken from %d producers with the worker stopped, then worked off"
        .formatted(JOBS, PRODUCERS);
  }

  @Override
  public void prepare(Stage stage) throws Exception {
    WarmUp.run(stage);
    stock = StockWork.start(stage);
    var marker = stage.marker("warm");
    stock.take(marker, WARM_UP_JOBS, PRODUCERS);
    stock.drain(marker, WARM_UP_JOBS);
  }

  @Override
  public void measure(Stage stage, Figures figures) throws Exception {
    if (stock == null) {
      throw new IllegalStateException("not prepared");
    }
    var ours = measure(stage, new OurWork(stage), figures);
    var theirs = measure(stage, stock, figures);
    for (var figure : COMPARED) {
      var name = "coatcheck / stock JobRunr: " + figure.name();
      figures.add(Figure.of(name, ""), value(ours, figure) / value(theirs, figure));
    }
  }

  private static double value(Map<Figure, Double> values, Figure figure) {
    var value = values.get(figure);
    return value == null ? Double.NaN : value;
  }

  private static Map<Figure, Double> measure(Stage stage, Work work, Figures figures)
      throws Exception {
    var values = measure(stage, work);
    values.forEach(
        (figure, value) ->
            figures.add(Figure.of(work.name() + ": " + figure.name(), figure.unit()), value));
    return values;
  }

  private static Map<Figure, Double> measure(Stage stage, Work work) throws Exception {
    var database = stage.database();
    var marker = stage.marker("intake");
    long postmaster = stage.stack().postgres().pid();
    double wal = database.walBytes();
    double databaseCpu = CpuTime.seconds(postmaster);
    double engineCpu = work.cpuSeconds();

    var taken = work.take(marker, JOBS, PRODUCERS);
    double start = database.now();
    work.drain(marker, JOBS);
    double half = work.endOf(marker, JOBS / 2);
    double end = work.endOf(marker, JOBS);

    databaseCpu = CpuTime.seconds(postmaster) - databaseCpu;
    engineCpu = work.cpuSeconds() - engineCpu;
    var values = new LinkedHashMap<Figure, Double>();
    values.put(TAKEN, taken.perSecond());
    values.put(TAKEN_P50, taken.p50Ms());
    values.put(TAKEN_P99, taken.p99Ms());
    values.put(DRAIN, JOBS / (end - start));
    values.put(SECOND_HALF, (JOBS - JOBS / 2) / (end - half));
    values.put(CPU, (databaseCpu + engineCpu) * 1_000 / JOBS);
    values.put(CPU_DATABASE, databaseCpu * 1_000 / JOBS);
    values.put(WAL, (database.walBytes() - wal) / JOBS);
    return values;
  }
}
