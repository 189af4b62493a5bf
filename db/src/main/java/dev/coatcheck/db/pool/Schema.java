package dev.coatcheck.db.pool;

import dev.coatcheck.db.setting.SettingFault;
import dev.coatcheck.db.time.Pause;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.springframework.core.NestedExceptionUtils;

/**
 * The address of a database whose schema is up to date. What needs tables asks for this, so that it
 * comes after the migration.
 */
public record Schema(DatabaseAddress address) {
  /** Tries for about a minute, since the database may still be starting. */
  private static final int CONNECT_RETRIES = 30;

  private static final int CONNECT_RETRY_SECONDS = 2;

  /** Migrations that a lost connection ended are begun again for as long. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Duration REST = Duration.ofSeconds(1);

  /** Classes of SQLSTATE. */
  private static final String UNREACHABLE = "08";

  private static final String REFUSED = "28";

  /** The server ends the session, or is about to stop or just starting. */
  private static final String ENDED_BY_THE_SERVER = "57P";

  /**
   * Brings the schema up to date. Any number of processes may do so at once: Flyway locks.
   *
   * @throws SettingFault if the database cannot be reached, or refuses us
   */
  public static Schema migrate(DatabaseAddress address) {
    long until = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        migrate(
            Flyway.configure().dataSource(address.url(), address.username(), address.password()));
        return new Schema(address);
      } catch (FlywayException e) {
        if (!isLostConnection(e) || System.nanoTime() - until > 0 || !rests()) {
          throw NestedExceptionUtils.getMostSpecificCause(e) instanceof SQLException sql
              ? refused(sql)
              : unreachable(e);
        }
      }
    }
  }

  /** A migration is one transaction: it happened, or it can be begun again. */
  private static boolean isLostConnection(FlywayException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException sql
          && sql.getSQLState() != null
          && (sql.getSQLState().startsWith(UNREACHABLE)
              || sql.getSQLState().startsWith(ENDED_BY_THE_SERVER))) {
        return true;
      }
    }
    return false;
  }

  private static boolean rests() {
    try {
      Pause.REAL.pause(REST);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static RuntimeException refused(SQLException e) {
    String state = e.getSQLState() == null ? "" : e.getSQLState();
    if (state.startsWith(REFUSED)) {
      return new SettingFault("spring.datasource.username and password: the database refuses them");
    }
    return state.startsWith(UNREACHABLE)
        ? new SettingFault("spring.datasource.url: the database could not be reached")
        : new IllegalStateException("the schema could not be brought up to date", e);
  }

  private static RuntimeException unreachable(FlywayException e) {
    return NestedExceptionUtils.getMostSpecificCause(e) instanceof IOException
        ? new SettingFault("spring.datasource.url: the database could not be reached")
        : e;
  }

  /** The same for a database that is at hand already. */
  public static void migrate(DataSource database) {
    migrate(Flyway.configure().dataSource(database));
  }

  private static void migrate(FluentConfiguration flyway) {
    flyway
        .locations("classpath:db/migration")
        .connectRetries(CONNECT_RETRIES)
        .connectRetriesInterval(CONNECT_RETRY_SECONDS)
        .load()
        .migrate();
  }
}
