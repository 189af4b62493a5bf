package dev.coatcheck.db.intake;

/** What became of a decision. */
public enum Decided {
  /** It holds, from this call or from an earlier one with the same content. */
  YES,
  /** The call was decided otherwise, or asks for no such decision. */
  OTHERWISE,
  /** The tenant has no such job. */
  NO_JOB,
  /** The job has no such call. */
  NO_CALL
}
