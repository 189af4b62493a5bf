package dev.coatcheck.chaos;

import dev.coatcheck.postgres.EmbeddedPostgres;
import java.time.Duration;
import java.util.Properties;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Connects to a server past all proxies, anew for each statement: it may have been restarted. */
final class Connect {
  private Connect() {}

  static JdbcClient to(EmbeddedPostgres postgres) {
    return JdbcClient.create(source(postgres));
  }

  /**
   * For invariants with a time limit.
   *
   * @param grace in place of that limit
   */
  static JdbcClient to(EmbeddedPostgres postgres, Duration grace) {
    var source = source(postgres);
    var options = new Properties();
    options.setProperty("options", "-c coatcheck.grace=%ds".formatted(grace.toSeconds()));
    source.setConnectionProperties(options);
    return JdbcClient.create(source);
  }

  private static DriverManagerDataSource source(EmbeddedPostgres postgres) {
    return new DriverManagerDataSource(postgres.jdbcUrl(), EmbeddedPostgres.USERNAME, "");
  }
}
