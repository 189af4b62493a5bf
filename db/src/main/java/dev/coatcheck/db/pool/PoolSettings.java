package dev.coatcheck.db.pool;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What of {@code spring.datasource} is ours to read.
 *
 * @param url a JDBC URL of PostgreSQL
 * @param hikari {@code maximum-pool-size} applies to each pool
 */
@ConfigurationProperties("spring.datasource")
public record PoolSettings(
    @DefaultValue("") String url,
    @DefaultValue("") String username,
    @DefaultValue("") String password,
    @DefaultValue Hikari hikari) {

  private static final int LARGEST_POOL = 1_000;

  public record Hikari(@DefaultValue("10") int maximumPoolSize) {}

  /**
   * @throws IllegalArgumentException in one sentence that names the property
   */
  public PoolSettings {
    if (!url.startsWith("jdbc:postgresql:")) {
      throw new IllegalArgumentException(
          "spring.datasource.url must be a JDBC URL of PostgreSQL (jdbc:postgresql://host:port/database)");
    }
    if (hikari.maximumPoolSize < 1 || hikari.maximumPoolSize > LARGEST_POOL) {
      throw new IllegalArgumentException(
          "spring.datasource.hikari.maximum-pool-size must be 1 to " + LARGEST_POOL);
    }
  }

  DatabaseAddress address() {
    return new DatabaseAddress(url, username, password);
  }

  @Override
  public String toString() {
    return "PoolSettings";
  }
}
