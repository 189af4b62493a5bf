package dev.coatcheck.worker.egress;

/** The one door out of the process. */
public interface Egress extends AutoCloseable {
  /**
   * Sends a request and waits for the whole response, at most for the request's timeout. Blocks; to
   * be called on a virtual thread, with no connection or transaction of the database in hand.
   */
  default EgressResult exchange(EgressRequest request, OutboundCall call) {
    return exchange(request, call, BodySink.none());
  }

  /** The same; the body goes to the sink as it comes, if that opens for it. */
  EgressResult exchange(EgressRequest request, OutboundCall call, BodySink sink);

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
