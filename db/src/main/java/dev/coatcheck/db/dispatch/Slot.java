package dev.coatcheck.db.dispatch;

import java.util.concurrent.atomic.AtomicBoolean;

/** One reserved permit, given back once however often it is released. */
public final class Slot {
  private final Runnable release;
  private final AtomicBoolean held = new AtomicBoolean(true);
  private volatile boolean taken;

  /**
   * @param release gives the permit back
   */
  public Slot(Runnable release) {
    this.release = release;
  }

  /** From here on the run owns the permit, and releases it at its own end. */
  public void take() {
    taken = true;
  }

  boolean isTaken() {
    return taken;
  }

  public void release() {
    if (held.compareAndSet(true, false)) {
      release.run();
    }
  }
}
