package dev.coatcheck.worker.egress;

/** Why we gave up a call ourselves. */
public enum AbortReason {
  /** The job was cancelled. */
  CANCELLED,
  /** The job's lease was lost: somebody else runs it. */
  LEASE_LOST,
  /** The job's deadline passed. */
  DEADLINE,
  /** This process stops. */
  STOPPING
}
