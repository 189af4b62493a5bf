package dev.coatcheck.chaos;

import java.io.Serial;

/** The harness could not do its work; nothing is said about what it tests. */
final class ChaosFailed extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  ChaosFailed(String message) {
    super(message);
  }

  ChaosFailed(String message, Throwable cause) {
    super(message, cause);
  }
}
