package dev.coatcheck.db.time;

import java.time.Duration;

/** Waits in place. Injected, so that a test's clock decides how long that is. */
@FunctionalInterface
public interface Pause {
  /** The real one. */
  Pause REAL = Thread::sleep;

  /**
   * Returns after that time, not before.
   *
   * @throws InterruptedException when the thread is interrupted meanwhile
   */
  void pause(Duration duration) throws InterruptedException;
}
