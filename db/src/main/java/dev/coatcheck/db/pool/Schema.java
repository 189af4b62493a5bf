package dev.coatcheck.db.pool;

import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;

/**
 * The address of a database whose schema is up to date. What needs tables asks for this, so that it
 * comes after the migration.
 */
public record Schema(DatabaseAddress address) {
  /** Tries for about a minute, since the database may still be starting. */
  private static final int CONNECT_RETRIES = 30;

  private static final int CONNECT_RETRY_SECONDS = 2;

  /** Brings the schema up to date. Any number of processes may do so at once: Flyway locks. */
  public static Schema migrate(DatabaseAddress address) {
    migrate(Flyway.configure().dataSource(address.url(), address.username(), address.password()));
    return new Schema(address);
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
