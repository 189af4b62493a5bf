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

/** The pool of intake and reads: it gives up soon, since a caller waits. */
@Configuration(proxyBeanMethods = false)
public class WebPoolConfiguration {
  private static final Pool.Limits LIMITS =
      new Pool.Limits(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(1));

  @Bean(destroyMethod = "close")
  HikariDataSource webPool(Schema schema, PoolSettings settings) {
    return Pool.open("web", settings.hikari().maximumPoolSize(), schema, LIMITS);
  }

  @Bean
  WebDatabase webDatabase(@Qualifier("webPool") DataSource webPool, Probe probe) {
    return new WebDatabase(
        JdbcClient.create(webPool),
        new TransactionTemplate(new JdbcTransactionManager(webPool)),
        probe);
  }
}
