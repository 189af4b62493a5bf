package dev.coatcheck.bench;

import java.io.Serial;

/** A run that came to no figures: what was measured did not do its work. */
public final class BenchFailed extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  public BenchFailed(String message) {
    super(message);
  }
}
