package dev.coatcheck.worker.egress;

import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;

/** Sees calls open and close, each on the thread that makes it. For tests; otherwise inert. */
public interface EgressProbe {
  void opened();

  void closed();

  /** A call has got this far. */
  default void reach(Checkpoint point) {}

  static EgressProbe inert() {
    return telling(Probe.inert());
  }

  /** One that only passes on how far calls get. */
  static EgressProbe telling(Probe probe) {
    return new EgressProbe() {
      @Override
      public void opened() {}

      @Override
      public void closed() {}

      @Override
      public void reach(Checkpoint point) {
        probe.reach(point);
      }
    };
  }
}
