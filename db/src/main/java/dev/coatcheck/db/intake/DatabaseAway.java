package dev.coatcheck.db.intake;

/**
 * The database did not answer in time, or is gone. What was asked of it may or may not have been
 * done: a caller repeats it.
 */
public final class DatabaseAway extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public DatabaseAway(Throwable cause) {
    super("the database is away", cause);
  }
}
