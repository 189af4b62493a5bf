package dev.coatcheck.db.intake;

import dev.coatcheck.db.call.WakeJob;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.pool.WebDatabase;
import java.util.concurrent.Executors;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;

/** The web tier's side of the store. Asks for an {@link OpenJobLimit}. */
@Configuration(proxyBeanMethods = false)
public class IntakeConfiguration {
  /** Gives way to any other. */
  @Bean(destroyMethod = "close")
  @Fallback
  InTime inTime() {
    return new InTime(Executors.newVirtualThreadPerTaskExecutor());
  }

  @Bean
  SubmitJob submitJob(
      WebDatabase database,
      @Qualifier("webDispatches") Dispatches dispatches,
      OpenJobLimit limit,
      InTime inTime) {
    return new SubmitJob(
        database, dispatches, new OpenJobs(database, limit, System::nanoTime), inTime);
  }

  @Bean
  FindJob findJob(WebDatabase database, InTime inTime) {
    return new FindJob(database, inTime);
  }

  @Bean
  FindEvents findEvents(WebDatabase database, InTime inTime) {
    return new FindEvents(database, inTime);
  }

  @Bean
  ListJobs listJobs(WebDatabase database, InTime inTime) {
    return new ListJobs(database, inTime);
  }

  @Bean
  CancelJob cancelJob(
      WebDatabase database,
      @Qualifier("webDispatches") Dispatches dispatches,
      Notifier notifier,
      InTime inTime) {
    return new CancelJob(database, dispatches, notifier, inTime);
  }

  @Bean
  EraseJob eraseJob(WebDatabase database, InTime inTime) {
    return new EraseJob(database, inTime);
  }

  @Bean
  FindDeliveries findDeliveries(WebDatabase database, InTime inTime) {
    return new FindDeliveries(database, inTime);
  }

  @Bean
  ReplayDelivery replayDelivery(
      WebDatabase database, @Qualifier("webDispatches") Dispatches dispatches, InTime inTime) {
    return new ReplayDelivery(database, dispatches, inTime);
  }

  @Bean
  CountJobs countJobs(WebDatabase database, InTime inTime) {
    return new CountJobs(database, inTime);
  }

  @Bean
  ApiKeys apiKeys(WebDatabase database, InTime inTime) {
    return new ApiKeys(database, inTime);
  }

  @Bean
  DecideCall decideCall(
      WebDatabase database,
      @Qualifier("webDispatches") Dispatches dispatches,
      Notifier notifier,
      InTime inTime) {
    var wake = new WakeJob(database.sql(), database.transaction(), dispatches, notifier);
    return new DecideCall(database, wake, inTime);
  }
}
