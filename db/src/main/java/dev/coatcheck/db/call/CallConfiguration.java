package dev.coatcheck.db.call;

import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.pool.PoolSettings;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The engine's side of tool calls. */
@Configuration(proxyBeanMethods = false)
public class CallConfiguration {
  /** One in so many of the pool's connections may run tools: what renews leases needs them too. */
  private static final int SHARE = 2;

  @Bean
  RunSql runSql(
      EngineDatabase database,
      @Qualifier("enginePool") DataSource pool,
      Notifier notifier,
      PoolSettings settings) {
    int atOnce = Math.max(1, settings.hikari().maximumPoolSize() / SHARE);
    return new RunSql(database, pool, notifier, atOnce);
  }

  @Bean
  CallStores callStores(
      EngineDatabase database,
      RunSql runSql,
      @Qualifier("engineDispatches") Dispatches dispatches,
      Notifier notifier) {
    var wake = new WakeJob(database.sql(), database.transaction(), dispatches, notifier);
    return new CallStores(
        new LoadCalls(database),
        new LoadTurns(database),
        new ClaimCall(database, notifier),
        new RecordCall(database, wake, notifier),
        runSql,
        new AwaitPeople(database, notifier));
  }
}
