package dev.coatcheck.bench;

import dev.coatcheck.processes.ChildProcess;
import java.io.IOException;
import java.net.URI;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** The same jobs by plain JobRunr, on the same server and with the same provider. */
final class StockWork implements Work {
  private static final String HEAP = "-Xmx1g";
  private static final String DATABASE = "stock";
  private static final Pattern URL = Pattern.compile("(?m)^(http://\\S+)$");
  private static final Duration TIME_TO_START = Duration.ofSeconds(60);

  private final Database database;
  private final ChildProcess process;
  private final URI orders;

  private StockWork(Database database, ChildProcess process, URI orders) {
    this.database = database;
    this.process = process;
    this.orders = orders;
  }

  static StockWork start(Stage stage) throws SQLException {
    stage.database().execute("create database " + DATABASE);
    var url = stage.stack().postgres().jdbcUrl(DATABASE);
    var database = new Database(url);
    database.execute(
        """
        create table stock_result (
          id bigint generated always as identity primary key,
          marker text not null, answer text not null,
          stored_at timestamptz not null default clock_timestamp())
        """);
    var arguments =
        List.of(
            HEAP,
            "-cp",
            System.getProperty("java.class.path"),
            "dev.coatcheck.bench.stock.StockMain",
            url,
            stage.simulator().baseUrl().toString());
    var process = ChildProcess.java(arguments, stage.logs().resolve("stock.log"));
    try {
      var orders = URI.create(process.awaitLog(URL, TIME_TO_START));
      return stage.keep(new StockWork(database, process, orders));
    } catch (RuntimeException e) {
      process.close();
      database.close();
      throw e;
    }
  }

  @Override
  public String name() {
    return "stock JobRunr";
  }

  @Override
  public Taken take(String marker, int count, int producers) throws Exception {
    var figures = order("/enqueue?%s,%d,%d".formatted(marker, count, producers)).split(" ", -1);
    return new Taken(
        Double.parseDouble(figures[0]),
        Double.parseDouble(figures[1]),
        Double.parseDouble(figures[2]));
  }

  @Override
  public void drain(String marker, int count) throws Exception {
    order("/start");
    database.awaitZero(
        LIMIT, "select count(*) from jobrunr_jobs where state in ('ENQUEUED', 'PROCESSING')");
    double stored = database.number("select count(*) from stock_result where marker = ?", marker);
    if (stored != count) {
      throw new BenchFailed("%.0f of %d results were stored".formatted(stored, count));
    }
    order("/stop");
  }

  @Override
  public double endOf(String marker, int nth) throws SQLException {
    return database.number(
        """
        select extract(epoch from stored_at) from stock_result where marker = ?
        order by stored_at offset ? limit 1
        """,
        marker,
        nth - 1);
  }

  @Override
  public double cpuSeconds() {
    return CpuTime.seconds(process.pid());
  }

  private String order(String path) throws IOException {
    try (var caller = new Caller(orders)) {
      return caller.post(path, "", "").expect(200).text();
    }
  }

  @Override
  public void close() throws SQLException {
    process.close();
    database.close();
  }
}
