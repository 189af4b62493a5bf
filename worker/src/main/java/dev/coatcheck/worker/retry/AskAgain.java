package dev.coatcheck.worker.retry;

/** How often a failed request may be asked again, before any budget has its say. */
public enum AskAgain {
  /** As often as {@code max_attempts} allows. */
  ALWAYS,
  /** One more time in a turn; the second failure of this kind ends the job. */
  ONCE,
  /** The same request would fail the same way. */
  NEVER
}
