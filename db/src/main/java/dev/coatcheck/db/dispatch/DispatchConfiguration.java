package dev.coatcheck.db.dispatch;

import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.event.Notifier;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.InstantSource;
import java.util.List;
import javax.sql.DataSource;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.server.configuration.BackgroundJobServerWorkerPolicy;
import org.jobrunr.utils.mapper.JsonMapper;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The worker's side of JobRunr: its server with our storage, slots and the one retry filter. */
@Configuration(proxyBeanMethods = false)
public class DispatchConfiguration {
  @Bean
  @Primary
  DispatchStorage dispatchStorage(
      @Qualifier("enginePool") DataSource pool,
      JobMapper mapper,
      Slots slots,
      InstantSource clock) {
    return new DispatchStorage(pool, mapper, slots, clock);
  }

  @Bean
  MeterBinder rowsSetAside(DispatchStorage storage) {
    return meters ->
        FunctionCounter.builder(
                "coatcheck.dispatches.set.aside", storage, DispatchStorage::setAside)
            .register(meters);
  }

  @Bean
  @Primary
  Dispatches engineDispatches(DispatchStorage storage, Notifier notifier) {
    return new Dispatches(storage, notifier);
  }

  @Bean
  DispatchHandler dispatchHandler(RunStarter runs, ObjectProvider<BackgroundJobServer> server) {
    return new HandleDispatch(runs, server);
  }

  @Bean
  DeliveryHandler deliveryHandler(DeliveryStarter deliveries) {
    return new HandleDelivery(deliveries);
  }

  @Bean
  BackgroundJobServerWorkerPolicy slotPolicy(Slots slots) {
    return new SlotPolicy(slots);
  }

  @Bean
  BackgroundJobServer backgroundJobServer(
      DispatchStorage storage,
      JsonMapper jobRunrJsonMapper,
      JobActivator activator,
      BackgroundJobServerConfiguration configuration) {
    var server = new BackgroundJobServer(storage, jobRunrJsonMapper, activator, configuration);
    server.setJobFilters(List.of(new RetryUnreachableDatabase()));
    return server;
  }

  @Bean
  DispatchServer dispatchServer(
      BackgroundJobServer server, DispatchStorage storage, Slots slots, ListenHub hub) {
    return new DispatchServer(server, storage, slots, hub);
  }
}
