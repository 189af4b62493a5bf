package dev.coatcheck.bench;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;

/** A look into a database from beside. */
final class Database implements AutoCloseable {
  private static final long POLL_MILLIS = 100;

  private final Connection connection;

  Database(String jdbcUrl) throws SQLException {
    connection = DriverManager.getConnection(jdbcUrl, "postgres", "");
  }

  double number(String sql, Object... parameters) throws SQLException {
    try (var statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < parameters.length; i++) {
        statement.setObject(i + 1, parameters[i]);
      }
      var rows = statement.executeQuery();
      rows.next();
      return rows.getDouble(1);
    }
  }

  String text(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      var rows = statement.executeQuery(sql);
      rows.next();
      return rows.getString(1);
    }
  }

  void execute(String sql) throws SQLException {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Seconds on the server's clock. */
  double now() throws SQLException {
    return number("select extract(epoch from clock_timestamp())");
  }

  /** Bytes written to the write-ahead log so far. */
  double walBytes() throws SQLException {
    return number("select pg_current_wal_insert_lsn() - '0/0'::pg_lsn");
  }

  /** Waits until a query for a number answers zero. */
  void awaitZero(Duration limit, String sql) throws SQLException, InterruptedException {
    long until = System.nanoTime() + limit.toNanos();
    while (number(sql) > 0) {
      if (System.nanoTime() > until) {
        throw new BenchFailed("still %.0f after %s: %s".formatted(number(sql), limit, sql));
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
