package dev.coatcheck.db;

import com.zaxxer.hikari.HikariDataSource;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.pool.DatabaseAddress;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.pool.Schema;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.db.time.Pause;
import dev.coatcheck.fixture.Template;
import dev.coatcheck.fixture.TestDatabase;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The template of a database with our schema, and what the stores take. */
public final class Migrated {
  public static final Template TEMPLATE = new Template("coatcheck", Schema::migrate);

  private Migrated() {}

  public static DatabaseAddress address(TestDatabase database) {
    return new DatabaseAddress(database.jdbcUrl(), database.username(), database.password());
  }

  public static HikariDataSource pool(TestDatabase database, int size) {
    var pool = new HikariDataSource();
    pool.setJdbcUrl(database.jdbcUrl());
    pool.setUsername(database.username());
    pool.setPassword(database.password());
    pool.setMaximumPoolSize(size);
    return pool;
  }

  public static EngineDatabase engine(DataSource pool) {
    return new EngineDatabase(
        JdbcClient.create(pool),
        new TransactionTemplate(new JdbcTransactionManager(pool)),
        Probe.inert());
  }

  public static Notifier notifier(TestDatabase database) {
    return new Notifier(address(database), Pause.REAL);
  }
}
