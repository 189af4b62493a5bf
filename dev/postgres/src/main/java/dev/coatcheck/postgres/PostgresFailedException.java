package dev.coatcheck.postgres;

/** The embedded PostgreSQL could not be started; the message is one sentence for its user. */
public class PostgresFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PostgresFailedException(String message) {
    super(message);
  }

  PostgresFailedException(String message, Throwable cause) {
    super(message, cause);
  }
}
