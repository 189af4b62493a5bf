package dev.coatcheck.db.call;

import dev.coatcheck.db.pool.EngineDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/** Executes a tool's statement in the thread's transaction, for as long as the tool may take. */
final class ExecuteSql {
  /** Rows that are in memory at once: more than is kept of a result may never be. */
  private static final int FETCHED = 100;

  /** The server ends the statement; it is waited for a little longer, to hear so. */
  private static final Duration MARGIN = Duration.ofSeconds(5);

  private final EngineDatabase database;
  private final NamedParameterJdbcTemplate statements;

  ExecuteSql(EngineDatabase database, DataSource pool) {
    this.database = database;
    this.statements = new NamedParameterJdbcTemplate(pool);
  }

  /**
   * @throws IllegalArgumentException if its rows are more than is kept, or take too long
   */
  CallResult execute(SqlTool tool, SqlParameters parameters) {
    database
        .sql()
        .sql("select set_config('statement_timeout', :ms, true)")
        .param("ms", Long.toString(tool.timeout().toMillis()))
        .query(String.class)
        .single();
    return Objects.requireNonNull(
        statements.execute(tool.sql(), parameters, statement -> result(statement, tool.timeout())));
  }

  private static CallResult result(PreparedStatement statement, Duration timeout)
      throws SQLException {
    long until = System.nanoTime() + timeout.toNanos();
    statement.setFetchSize(FETCHED);
    try (var _ = patient(statement.getConnection(), timeout.plus(MARGIN))) {
      if (!statement.execute()) {
        return SqlRows.count(statement.getLargeUpdateCount());
      }
      try (ResultSet rows = statement.getResultSet()) {
        // Each fetch is a statement of its own to the server's timeout.
        return SqlRows.read(rows, until);
      }
    }
  }

  /** Closed, the connection is as impatient as before. */
  private interface Patience extends AutoCloseable {
    @Override
    void close() throws SQLException;
  }

  /** A tool may take longer than the pool waits for any other statement's answer. */
  private static Patience patient(Connection connection, Duration wait) throws SQLException {
    int usual = connection.getNetworkTimeout();
    connection.setNetworkTimeout(Runnable::run, Math.toIntExact(wait.toMillis()));
    return () -> connection.setNetworkTimeout(Runnable::run, usual);
  }
}
