package dev.coatcheck.db.pool;

import com.zaxxer.hikari.HikariDataSource;
import dev.coatcheck.fixture.TestDatabase;

/** The engine's pool as a worker has it, over a test's database. */
public final class EnginePool {
  private EnginePool() {}

  public static HikariDataSource of(TestDatabase database) {
    var settings =
        new PoolSettings(
            database.jdbcUrl(),
            database.username(),
            database.password(),
            new PoolSettings.Hikari(2));
    return new EnginePoolConfiguration().enginePool(new Schema(settings.address()), settings);
  }
}
