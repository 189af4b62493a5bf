package dev.coatcheck.db.pool;

import com.zaxxer.hikari.HikariDataSource;
import dev.coatcheck.db.probe.Probe;
import java.time.Duration;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The pool of JobRunr and runs: it is patient, since what it writes was paid for. */
@Configuration(proxyBeanMethods = false)
public class EnginePoolConfiguration {
  private static final Pool.Limits LIMITS =
      new Pool.Limits(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(10));

  @Bean(destroyMethod = "close")
  HikariDataSource enginePool(Schema schema, PoolSettings settings) {
    return Pool.open("engine", settings.hikari().maximumPoolSize(), schema, LIMITS);
  }

  @Bean
  EngineDatabase engineDatabase(@Qualifier("enginePool") DataSource enginePool, Probe probe) {
    return new EngineDatabase(
        JdbcClient.create(enginePool),
        new TransactionTemplate(new JdbcTransactionManager(enginePool)),
        probe);
  }
}
