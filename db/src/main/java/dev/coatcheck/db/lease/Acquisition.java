package dev.coatcheck.db.lease;

/** What came of a dispatch's attempt to acquire its job. */
public sealed interface Acquisition {
  /** The job is ours, under a new epoch. */
  record Acquired(LeasedJob job) implements Acquisition {}

  /** An older dispatch, somebody else's lease, an ended job, or too early: nothing to do. */
  record NotOurs() implements Acquisition {}
}
