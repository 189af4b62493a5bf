package dev.coatcheck.worker.retry;

import java.util.Locale;

/** Whether the provider charges for an attempt, as far as we can know. */
public enum Billed {
  NO,
  YES,
  UNKNOWN;

  /** The name in the API and in the database. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
