package dev.coatcheck.worker.egress;

/** The one door out of the process. */
public interface Egress extends AutoCloseable {
  /**
   * Sends a request and waits for the whole response, at most for the request's timeout. Blocks; to
   * be called on a virtual thread, with no connection or transaction of the database in hand.
   */
  EgressResult exchange(EgressRequest request, OutboundCall call);

  /**
   * Opens the door.
   *
   * @param connections open at once, to one host and in all
   * @param hosts resolves names; the addresses it returns are the ones connected to
   */
  static Egress open(
      EgressSettings settings, int connections, EgressProbe probe, ResolveHost hosts) {
    return new ApacheEgress(settings, connections, probe, hosts);
  }

  /** Aborts what is under way. */
  @Override
  void close();
}
