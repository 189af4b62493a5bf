package dev.coatcheck.standalone;

import dev.coatcheck.postgres.EmbeddedPostgres;
import java.util.Map;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Finds the embedded PostgreSQL of a running standalone process, for a command beside it: two
 * processes cannot both run one.
 */
final class FindDatabase implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  @Override
  public void initialize(ConfigurableApplicationContext context) {
    var environment = context.getEnvironment();
    if (!environment.getProperty(StartDatabase.URL, "").isBlank()) {
      return;
    }
    EmbeddedPostgres.findRunning(StartDatabase.settings(environment).directory())
        .ifPresent(
            url ->
                OwnProperties.set(
                    environment,
                    Map.of(
                        StartDatabase.URL,
                        url,
                        "spring.datasource.username",
                        EmbeddedPostgres.USERNAME,
                        "spring.datasource.password",
                        "")));
  }
}
