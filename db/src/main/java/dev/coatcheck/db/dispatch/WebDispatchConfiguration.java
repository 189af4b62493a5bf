package dev.coatcheck.db.dispatch;

import dev.coatcheck.db.event.Notifier;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.jobrunr.jobs.mappers.JobMapper;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Dispatches that join the transactions of the web pool. Nothing is run on them here. */
@Configuration(proxyBeanMethods = false)
public class WebDispatchConfiguration {
  @Bean
  DispatchStorage webDispatchStorage(
      @Qualifier("webPool") DataSource pool, JobMapper mapper, InstantSource clock) {
    return new DispatchStorage(pool, mapper, Slots.none(), clock);
  }

  @Bean
  Dispatches webDispatches(
      @Qualifier("webDispatchStorage") DispatchStorage storage, Notifier notifier) {
    return new Dispatches(storage, notifier);
  }
}
