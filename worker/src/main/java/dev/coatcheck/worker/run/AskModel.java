package dev.coatcheck.worker.run;

import dev.coatcheck.db.dispatch.DispatchEnd;
import dev.coatcheck.db.dispatch.DispatchLog;
import dev.coatcheck.db.lease.AttemptLedger;
import dev.coatcheck.db.lease.LeaveJob;
import dev.coatcheck.db.pool.Insist;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.worker.provider.Provider;
import dev.coatcheck.worker.retry.RetryPolicy;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Asks a job's model for its next turn, and leaves the job as that came out. */
public final class AskModel {
  final Stores stores;
  final Retries retries;
  final RunMeters meters;
  final ProviderGates gates = new ProviderGates();
  private final Map<String, Provider> providers;

  public AskModel(
      Stores stores, Retries retries, Collection<Provider> providers, RunMeters meters) {
    this.stores = stores;
    this.retries = retries;
    this.providers =
        providers.stream().collect(Collectors.toMap(Provider::name, Function.identity()));
    this.meters = meters;
  }

  /**
   * Where a run writes, and how it insists on it.
   *
   * @param probe is told how far a run has come
   */
  public record Stores(
      AttemptLedger attempts, LeaveJob leave, Insist insist, Probe probe, TellDeltas deltas) {}

  /**
   * When to ask again.
   *
   * @param hold the longest wait in place
   */
  public record Retries(RetryPolicy policy, Duration hold, RandomGenerator random) {}

  /** Empty if the lease was lost. */
  Optional<DispatchEnd> ask(Tenure tenure, DispatchLog log) throws InterruptedException {
    meters.pickedUp(tenure.job().clock().sinceReady());
    var turn = new AskTurn(this, tenure, log);
    Provider provider = providers.get(tenure.job().provider());
    return provider == null ? turn.noProvider() : turn.ask(provider);
  }
}
