package dev.coatcheck.worker.egress;

import java.util.List;

/** Configured secrets that no message may show: those of tools, webhooks, the database. */
public record KnownSecrets(List<Secret> all) {
  public KnownSecrets {
    all = List.copyOf(all);
  }
}
