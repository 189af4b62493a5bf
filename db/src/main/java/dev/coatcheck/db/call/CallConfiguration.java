package dev.coatcheck.db.call;

import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.pool.EngineDatabase;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The engine's side of tool calls. */
@Configuration(proxyBeanMethods = false)
public class CallConfiguration {
  @Bean
  CallStores callStores(
      EngineDatabase database,
      @Qualifier("enginePool") DataSource pool,
      @Qualifier("engineDispatches") Dispatches dispatches,
      Notifier notifier) {
    var wake = new WakeJob(database.sql(), database.transaction(), dispatches, notifier);
    return new CallStores(
        new LoadCalls(database),
        new LoadTurns(database),
        new ClaimCall(database, notifier),
        new RecordCall(database, wake, notifier),
        new RunSql(database, pool, notifier),
        new AwaitPeople(database, notifier));
  }
}
