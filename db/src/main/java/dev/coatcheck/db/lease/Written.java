package dev.coatcheck.db.lease;

/** What became of a fenced write. */
public enum Written {
  /** It is in the database, from this call or from an earlier one whose answer was lost. */
  YES,
  /** The lease is lost: somebody else writes now, or the job has ended. Stop silently. */
  LEASE_LOST
}
