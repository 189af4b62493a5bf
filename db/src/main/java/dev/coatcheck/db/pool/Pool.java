package dev.coatcheck.db.pool;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;

/** Makes the pools. Two on one URL, so that intake never queues behind the engine. */
final class Pool {
  /**
   * A transaction that idles longer is ended by the server: nothing is waited for inside one but
   * SQL. A frozen or cut-off process may hold rows in one, which nobody can heal meanwhile.
   */
  private static final Duration IDLE_IN_TRANSACTION = Duration.ofSeconds(3);

  /**
   * How long a connection may take to show that it works, if the pool is that patient: a shorter
   * time takes a slow way to the database for none.
   */
  private static final Duration VALIDATION = Duration.ofSeconds(3);

  /** The first connection is made during the start, when the database may go away as well. */
  private static final Duration FIRST_CONNECTION = Duration.ofMinutes(1);

  private Pool() {}

  /**
   * @param patience how long a thread waits for a connection
   * @param statement the longest a statement may take
   * @param lock the longest a statement may wait for a lock
   */
  record Limits(Duration patience, Duration statement, Duration lock) {}

  static HikariDataSource open(String name, int size, Schema schema, Limits limits) {
    var pool = new HikariDataSource();
    pool.setPoolName(name);
    pool.setJdbcUrl(schema.address().url());
    pool.setUsername(schema.address().username());
    pool.setPassword(schema.address().password());
    pool.setMaximumPoolSize(size);
    pool.setConnectionTimeout(limits.patience.toMillis());
    pool.setInitializationFailTimeout(FIRST_CONNECTION.toMillis());
    pool.setValidationTimeout(
        Math.min(VALIDATION.toMillis(), limits.patience.dividedBy(2).toMillis()));
    pool.addDataSourceProperty("ApplicationName", "coatcheck-" + name);
    pool.addDataSourceProperty("connectTimeout", "2");
    pool.addDataSourceProperty("socketTimeout", limits.statement.plusSeconds(5).toSeconds());
    pool.addDataSourceProperty("tcpKeepAlive", "true");
    pool.setConnectionInitSql(
        "set statement_timeout = %d; set lock_timeout = %d; set idle_in_transaction_session_timeout = %d"
            .formatted(
                limits.statement.toMillis(),
                limits.lock.toMillis(),
                IDLE_IN_TRANSACTION.toMillis()));
    return pool;
  }
}
