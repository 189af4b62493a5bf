package dev.coatcheck.standalone;

import dev.coatcheck.postgres.EmbeddedPostgres;
import dev.coatcheck.postgres.PostgresSettings;
import java.nio.file.Path;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.support.DefaultSingletonBeanRegistry;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;

/** Starts the embedded PostgreSQL where no other database is configured. */
final class StartDatabase implements ApplicationContextInitializer<ConfigurableApplicationContext> {
  static final String URL = "spring.datasource.url";

  /** Ours: where the embedded server's files are. */
  static final String DIRECTORY = "coatcheck.embedded-postgres.directory";

  private static final Logger LOG = LoggerFactory.getLogger(StartDatabase.class);

  @Override
  public void initialize(ConfigurableApplicationContext context) {
    var environment = context.getEnvironment();
    if (!environment.getProperty(URL, "").isBlank()) {
      return;
    }
    var settings = settings(environment);
    var server = EmbeddedPostgres.start(settings);
    LOG.atInfo()
        .addKeyValue("port", server.port())
        .addKeyValue("directory", settings.directory())
        .log("Embedded PostgreSQL started");
    stopLast(context, server);
    OwnProperties.set(
        environment,
        Map.of(
            URL,
            server.jdbcUrl(),
            "spring.datasource.username",
            EmbeddedPostgres.USERNAME,
            "spring.datasource.password",
            "",
            "coatcheck.worker.alone",
            true,
            DIRECTORY,
            settings.directory().toString()));
  }

  static PostgresSettings settings(ConfigurableEnvironment environment) {
    return PostgresSettings.durable(
        Path.of(environment.getProperty("coatcheck.data-dir", "./.coatcheck")),
        environment.getProperty("coatcheck.embedded-postgres.port", Integer.class, 0));
  }

  /** Beans are destroyed in the reverse order of their registration, and this one is the first. */
  private static void stopLast(ConfigurableApplicationContext context, EmbeddedPostgres server) {
    if (context.getBeanFactory() instanceof DefaultSingletonBeanRegistry registry) {
      registry.registerDisposableBean("embeddedPostgres", (DisposableBean) server::close);
    } else {
      throw new IllegalStateException("an unknown kind of bean factory");
    }
  }
}
