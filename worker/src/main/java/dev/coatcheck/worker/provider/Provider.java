package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.OutboundCall;

/** A configured provider: asks one turn, once. Retries belong to {@code worker.retry}. */
public interface Provider {
  /** Its name in our configuration. */
  String name();

  /** How many calls may be open at once, over this worker; 0 is no limit. */
  int maxConcurrency();

  /** Blocks until the attempt is over; never throws for anything that a provider does. */
  ProviderOutcome ask(TurnRequest request, OutboundCall call);
}
