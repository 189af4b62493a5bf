package dev.coatcheck.demo;

import dev.coatcheck.postgres.EmbeddedPostgres;
import dev.coatcheck.processes.ServerProcess;
import dev.coatcheck.processes.SimulatorProcess;
import dev.coatcheck.processes.StackSettings;
import dev.coatcheck.processes.StartServers;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** PostgreSQL, an app, a simulated model, and one worker at a time. */
final class House implements AutoCloseable {
  private static final String TOOLS =
      """
      {"tools":[
        {"name":"look_up_order","safety":"read-only","url":"URL/look_up_order",
         "parameters":{"type":"object","properties":{"order":{"type":"string"}},"required":["order"]}},
        {"name":"refund","safety":"keyed","url":"URL/refund",
         "parameters":{"type":"object","properties":{"order":{"type":"string"}},"required":["order"]}},
        {"name":"note_refund","safety":"transactional",
         "parameters":{"type":"object","properties":{"order":{"type":"string"}},"required":["order"]},
         "sql":"with noted as (insert into refund_note (order_id, effect_key) values (:order, :effect_key) returning order_id) select order_id, seconds from noted cross join lateral (select seconds, pg_sleep(seconds) from slowness) as slow"},
        {"name":"mail_customer","safety":"at-most-once","url":"URL/mail_customer"},
        {"name":"ask_customer","safety":"client"}
      ]}
      """;

  private final EmbeddedPostgres postgres;
  private final SimulatorProcess simulator;
  private final StartServers servers;
  private final ServerProcess app;
  private ServerProcess worker;
  private int workers = 1;

  private House(Path directory, Path toolsFile) {
    StackSettings settings =
        StackSettings.disposable(directory)
            .with("coatcheck.tools-file", toolsFile.toString())
            .with("coatcheck.worker.lease", "3s");
    postgres = EmbeddedPostgres.start(settings.postgres());
    simulator = SimulatorProcess.start(List.of("-Xmx128m"), directory.resolve("simulator.log"));
    servers = new StartServers(settings, simulator.baseUrl());
    app = servers.app("app", postgres.jdbcUrl()).awaitReady();
    worker = servers.worker("worker-1", postgres.jdbcUrl()).awaitReady();
  }

  static House start(Path directory, ToolServer tools) {
    try {
      Path file = directory.resolve("tools.json");
      Files.writeString(file, TOOLS.replace("URL", tools.url()));
      var house = new House(directory, file);
      house.sql(
          "create table refund_note (order_id text, effect_key text);"
              + " create table slowness as select 3.0 as seconds");
      return house;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Api api() {
    return new Api(app.url(), StartServers.API_KEY);
  }

  /** As {@code kill -9} does; another worker takes its place. */
  synchronized void killWorker(Say say) {
    worker.process().kill();
    worker.close();
    say.line("  kill -9: worker " + workers + " is gone before the effect is recorded");
    workers++;
    worker = servers.worker("worker-" + workers, postgres.jdbcUrl());
  }

  void sql(String statements) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(statements);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  long count(String query) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        var rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(postgres.jdbcUrl(), EmbeddedPostgres.USERNAME, null);
  }

  @Override
  public synchronized void close() {
    worker.close();
    app.close();
    simulator.close();
    postgres.close();
  }
}
