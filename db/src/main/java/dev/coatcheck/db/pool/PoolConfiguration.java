package dev.coatcheck.db.pool;

import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.db.time.Ids;
import dev.coatcheck.db.time.Pause;
import java.time.InstantSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;

/** What every process has: an up-to-date schema, an ear, a voice, a clock and ids. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(PoolSettings.class)
public class PoolConfiguration {
  @Bean
  InstantSource clock() {
    return InstantSource.system();
  }

  @Bean
  Pause pause() {
    return Pause.REAL;
  }

  /** Gives way to any other. */
  @Bean
  @Fallback
  Probe inertProbe() {
    return Probe.inert();
  }

  @Bean
  Ids ids() {
    return Ids.system();
  }

  /** Every setting is read before the database is asked for anything. */
  @Bean
  Schema schema(PoolSettings settings, ListableBeanFactory beans) {
    var _ = beans.getBeansWithAnnotation(ConfigurationProperties.class);
    return Schema.migrate(settings.address());
  }

  @Bean
  Notifier notifier(Schema schema, Pause pause) {
    return new Notifier(schema.address(), pause);
  }

  @Bean(initMethod = "start")
  ListenHub listenHub(Schema schema, Pause pause) {
    return new ListenHub(schema.address(), pause);
  }

  /** Known from the ear's connection, so that a health check never waits for a database. */
  @Bean
  HealthIndicator databaseHealthIndicator(ListenHub hub) {
    return () -> hub.isConnected() ? Health.up().build() : Health.down().build();
  }
}
