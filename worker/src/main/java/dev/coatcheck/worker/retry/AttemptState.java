package dev.coatcheck.worker.retry;

import java.util.Locale;

/** How an attempt without an answer ended. */
public enum AttemptState {
  /** The provider said no: an HTTP error, an error inside a 200, or a 200 that nobody can use. */
  REFUSED,
  /** Nothing was sent. */
  UNREACHABLE,
  /** The request was sent, or may have been, and no whole answer came back. */
  INDETERMINATE;

  /** The name in the API and in the database. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
