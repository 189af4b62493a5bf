package dev.coatcheck.processes;

import java.io.Serial;

/** A process that did not do what it was started for. */
public final class ProcessFailed extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  ProcessFailed(String message) {
    super(message);
  }
}
