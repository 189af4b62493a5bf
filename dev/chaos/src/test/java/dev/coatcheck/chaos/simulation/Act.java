package dev.coatcheck.chaos.simulation;

/** What may happen to whoever reaches a checkpoint. */
enum Act {
  /** Its process ends: nothing comes after, and what it had in memory is gone. */
  HALT,
  /** Its process stands still for one to three leases. */
  PAUSE,
  /** It fails; a write fails undone. */
  THROW,
  /** It alone is slow. */
  DELAY,
  /** It is done, and reported as failed. */
  PRETEND
}
