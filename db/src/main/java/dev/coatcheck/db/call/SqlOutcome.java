package dev.coatcheck.db.call;

/** How a tool that is SQL came out. */
public sealed interface SqlOutcome {
  /** Effect and record are committed, from this call or from an earlier one. */
  record Done() implements SqlOutcome {}

  /**
   * The database refuses the statement. Nothing was changed, nothing is recorded.
   *
   * @param message the database's own
   */
  record Refused(String message) implements SqlOutcome {}

  /**
   * Other transactions were in the way. Nothing was changed; it may be tried again.
   *
   * @param message the database's own
   */
  record Conflict(String message) implements SqlOutcome {}

  /** An earlier run's statement is still under way. */
  record Busy() implements SqlOutcome {}

  /**
   * As many statements as may are under way in this process. Nothing was begun, nothing is held.
   */
  record NoRoom() implements SqlOutcome {}

  /** Somebody else writes now, or the job has ended. Nothing was changed. */
  record LeaseLost() implements SqlOutcome {}
}
