package dev.coatcheck.db.intake;

/**
 * How many jobs that have not ended a tenant may have.
 *
 * @param jobs up to {@link #EXACT} it is kept exactly; above, submits at the same moment may pass
 *     it by a few
 */
public record OpenJobLimit(long jobs) {
  /** Up to here a tenant's submits are told apart one by one. */
  public static final long EXACT = 1_000;

  boolean isExact() {
    return jobs <= EXACT;
  }
}
