package dev.coatcheck.worker.run;

import dev.coatcheck.db.dispatch.DispatchEnd;
import dev.coatcheck.db.dispatch.DispatchLog;
import dev.coatcheck.db.lease.AttemptLedger;
import dev.coatcheck.db.lease.LeaveJob;
import dev.coatcheck.db.lease.RecordTurn;
import dev.coatcheck.db.pool.Insist;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.worker.provider.Provider;
import dev.coatcheck.worker.retry.RetryPolicy;
import dev.coatcheck.worker.tool.Toolbox;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/** Works on a job as far as it gets, and leaves it as that came out. */
public final class AskModel {
  final Stores stores;
  final Retries retries;
  final RunMeters meters;
  final Toolbox tools;
  final ProviderGates gates = new ProviderGates();
  private final Map<String, Provider> providers;

  public AskModel(Stores stores, Retries retries, Outside outside, RunMeters meters) {
    this.stores = stores;
    this.retries = retries;
    this.providers =
        outside.providers.stream().collect(Collectors.toMap(Provider::name, Function.identity()));
    this.tools = outside.tools;
    this.meters = meters;
  }

  /** Whom a run asks. */
  public record Outside(Collection<Provider> providers, Toolbox tools) {}

  /**
   * Where a run writes, and how it insists on it.
   *
   * @param probe is told how far a run has come
   */
  public record Stores(
      AttemptLedger attempts,
      RecordTurn turns,
      LeaveJob leave,
      Insist insist,
      Probe probe,
      TellDeltas deltas) {}

  /**
   * When to ask again.
   *
   * @param hold the longest wait in place
   */
  public record Retries(RetryPolicy policy, Duration hold, RandomGenerator random) {}

  /** Empty if the lease was lost. */
  Optional<DispatchEnd> ask(Tenure tenure, DispatchLog log) throws InterruptedException {
    meters.pickedUp(tenure.job().clock().sinceReady());
    return new RunTurns(this, tenure, log).run(providers.get(tenure.job().provider()));
  }
}
