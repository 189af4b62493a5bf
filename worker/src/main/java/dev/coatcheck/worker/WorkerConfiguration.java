package dev.coatcheck.worker;

import dev.coatcheck.db.call.CallConfiguration;
import dev.coatcheck.db.dispatch.DispatchConfiguration;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.dispatch.Slots;
import dev.coatcheck.db.erase.RetentionSettings;
import dev.coatcheck.db.erase.SweepJobs;
import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.lease.AcquireJob;
import dev.coatcheck.db.lease.AppendDeltas;
import dev.coatcheck.db.lease.AttemptLedger;
import dev.coatcheck.db.lease.DoubtLostCalls;
import dev.coatcheck.db.lease.ExpireJobs;
import dev.coatcheck.db.lease.FindEnd;
import dev.coatcheck.db.lease.LeaveJob;
import dev.coatcheck.db.lease.ReapLeases;
import dev.coatcheck.db.lease.ReconcileDispatches;
import dev.coatcheck.db.lease.RecordTurn;
import dev.coatcheck.db.lease.RenewLeases;
import dev.coatcheck.db.lease.WorkerId;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.pool.EnginePoolConfiguration;
import dev.coatcheck.db.pool.Insist;
import dev.coatcheck.db.pool.PoolConfiguration;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.db.time.Ids;
import dev.coatcheck.db.time.Pause;
import dev.coatcheck.db.time.Ticks;
import dev.coatcheck.db.tool.ToolConfiguration;
import dev.coatcheck.worker.deliver.DeliverConfiguration;
import dev.coatcheck.worker.egress.EgressConfiguration;
import dev.coatcheck.worker.erase.ForgetJobs;
import dev.coatcheck.worker.lease.HealJobs;
import dev.coatcheck.worker.lease.LeaseKeeper;
import dev.coatcheck.worker.lease.LeaseKeeper.Rhythm;
import dev.coatcheck.worker.provider.Provider;
import dev.coatcheck.worker.provider.ProviderConfiguration;
import dev.coatcheck.worker.provider.Providers;
import dev.coatcheck.worker.retry.RetryPolicy;
import dev.coatcheck.worker.retry.RetrySettings;
import dev.coatcheck.worker.run.AskModel;
import dev.coatcheck.worker.run.RunJob;
import dev.coatcheck.worker.run.RunJobs;
import dev.coatcheck.worker.run.RunMeters;
import dev.coatcheck.worker.run.TellDeltas;
import dev.coatcheck.worker.tool.Toolbox;
import dev.coatcheck.worker.tool.ToolboxConfiguration;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** The engine, put together. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({WorkerSettings.class, RetentionSettings.class})
@Import({
  PoolConfiguration.class,
  EnginePoolConfiguration.class,
  DispatchConfiguration.class,
  EgressConfiguration.class,
  ProviderConfiguration.class,
  CallConfiguration.class,
  ToolConfiguration.class,
  ToolboxConfiguration.class,
  DeliverConfiguration.class
})
public class WorkerConfiguration {
  @Bean
  Slots slots(WorkerSettings settings) {
    return new Slots(settings.concurrency(), DeliverConfiguration.SLOTS);
  }

  @Bean
  LeaseKeeper leaseKeeper(EngineDatabase database, ListenHub hub, WorkerSettings settings) {
    return new LeaseKeeper(
        new RenewLeases(database, settings.lease()), hub, settings.lease(), Rhythm.real());
  }

  @Bean
  RunMeters runMeters(MeterRegistry meters, Slots slots) {
    return new RunMeters(meters, slots);
  }

  @Bean
  LeaveJob leaveJob(EngineDatabase database, Dispatches dispatches, Notifier notifier) {
    return new LeaveJob(database, dispatches, notifier);
  }

  @Bean
  AskModel askModel(
      AskModel.Stores stores,
      AskModel.Retries retries,
      AskModel.Outside outside,
      RunMeters meters) {
    return new AskModel(stores, retries, outside, meters);
  }

  @Bean
  AskModel.Outside outside(Providers providers, Toolbox tools) {
    return new AskModel.Outside(providers.all(), tools);
  }

  @Bean
  AskModel.Stores askStores(
      AttemptLedger attempts,
      RecordTurn turns,
      LeaveJob leave,
      TellDeltas deltas,
      Insist insist,
      Probe probe) {
    return new AskModel.Stores(attempts, turns, leave, insist, probe, deltas);
  }

  @Bean
  RecordTurn recordTurn(EngineDatabase database, Notifier notifier) {
    return new RecordTurn(database, notifier);
  }

  @Bean
  Insist insist(Pause pause) {
    return new Insist(pause);
  }

  @Bean
  AttemptLedger attemptLedger(EngineDatabase database, Notifier notifier) {
    return new AttemptLedger(database, notifier);
  }

  @Bean
  TellDeltas tellDeltas(EngineDatabase database, Notifier notifier, Pause pause) {
    return new TellDeltas(new AppendDeltas(database, notifier), pause);
  }

  /** Bound by hand, since the retries know nothing of Spring. */
  @Bean
  RetrySettings retrySettings(Environment environment) {
    return Binder.get(environment)
        .bind("coatcheck.retry", RetrySettings.class)
        .orElseGet(RetrySettings::standard);
  }

  @Bean
  AskModel.Retries retries(RetrySettings settings) {
    return new AskModel.Retries(new RetryPolicy(settings), settings.hold(), new SecureRandom());
  }

  @Bean
  RunJob.Stores runStores(
      EngineDatabase database, Dispatches dispatches, Notifier notifier, AcquireJob.Terms terms) {
    return new RunJob.Stores(
        new AcquireJob(database, dispatches, notifier, terms),
        new FindEnd(database),
        database.probe());
  }

  @Bean
  AcquireJob.Terms acquireTerms(Ids ids, WorkerSettings settings, Providers providers) {
    return new AcquireJob.Terms(
        new WorkerId(ids.next()),
        settings.lease(),
        providers.all().stream()
            .filter(provider -> provider.maxConcurrency() > 0)
            .map(Provider::name)
            .collect(Collectors.toSet()));
  }

  @Bean
  RunJob runJob(RunJob.Stores stores, LeaseKeeper keeper, AskModel ask, WorkerSettings settings) {
    return new RunJob(stores, keeper, ask, new RunJob.Tempo(settings.lease(), Ticks.REAL));
  }

  @Bean
  RunJobs runJobs(RunJob runJob, WorkerSettings settings, Probe probe) {
    return new RunJobs(
        runJob,
        settings.stopGrace(),
        probe,
        Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("run-", 0).factory()));
  }

  @Bean
  HealJobs healJobs(
      HealJobs.Healers healers, ListenHub hub, WorkerSettings settings, MeterRegistry meters) {
    var owner = settings.alone() ? HealJobs.Owner.ALONE : HealJobs.Owner.SHARED;
    return new HealJobs(healers, hub, new HealJobs.Settings(settings.lease(), owner), meters);
  }

  @Bean
  ForgetJobs forgetJobs(
      EngineDatabase database, RetentionSettings retention, ListenHub hub, MeterRegistry meters) {
    return new ForgetJobs(new SweepJobs(database, retention), hub, meters);
  }

  @Bean
  HealJobs.Healers healers(
      EngineDatabase database, Dispatches dispatches, Notifier notifier, WorkerSettings settings) {
    return new HealJobs.Healers(
        new ReapLeases(database, dispatches, notifier, settings.maxDeaths()),
        new ExpireJobs(database, notifier),
        new ReconcileDispatches(database, dispatches),
        new DoubtLostCalls(database));
  }
}
