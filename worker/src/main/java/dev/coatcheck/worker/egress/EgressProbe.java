package dev.coatcheck.worker.egress;

/** Sees calls open and close, each on the thread that makes it. For tests; otherwise inert. */
public interface EgressProbe {
  void opened();

  void closed();

  static EgressProbe inert() {
    return new EgressProbe() {
      @Override
      public void opened() {}

      @Override
      public void closed() {}
    };
  }
}
