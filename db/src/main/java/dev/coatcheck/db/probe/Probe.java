package dev.coatcheck.db.probe;

import java.util.function.Supplier;

/**
 * Is told where the code has come to. Inert in production; a test injects one that halts the
 * process, waits, or throws. Called on the thread that came there.
 */
@FunctionalInterface
public interface Probe {
  /** This point is reached. What is thrown here happens to whoever came here. */
  void reach(Checkpoint point);

  /**
   * Does a write whose far side is this point: it is done, and nobody knows yet. A test may do it
   * and throw as if it had failed, or not do it at all.
   */
  default <T> T write(Checkpoint point, Supplier<T> write) {
    T written = write.get();
    reach(point);
    return written;
  }

  /** The one of production. */
  static Probe inert() {
    return point -> {};
  }
}
