package dev.coatcheck.db.pool;

import dev.coatcheck.db.setting.SettingFault;
import java.io.IOException;
import java.sql.SQLException;
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

  /** Classes of SQLSTATE. */
  private static final String UNREACHABLE = "08";

  private static final String REFUSED = "28";

  /**
   * Brings the schema up to date. Any number of processes may do so at once: Flyway locks.
   *
   * @throws SettingFault if the database cannot be reached, or refuses us
   */
  public static Schema migrate(DatabaseAddress address) {
    try {
      migrate(Flyway.configure().dataSource(address.url(), address.username(), address.password()));
    } catch (FlywayException e) {
      throw NestedExceptionUtils.getMostSpecificCause(e) instanceof SQLException sql
          ? refused(sql)
          : unreachable(e);
    }
    return new Schema(address);
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
