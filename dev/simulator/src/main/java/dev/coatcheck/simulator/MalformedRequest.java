package dev.coatcheck.simulator;

import java.io.IOException;

/** A request outside the rules of HTTP/1.1 or the reader's limits; the connection ends with it. */
final class MalformedRequest extends IOException {
  private static final long serialVersionUID = 1L;

  private final int status;

  MalformedRequest(int status, String message) {
    super(message);
    this.status = status;
  }

  int status() {
    return status;
  }
}
