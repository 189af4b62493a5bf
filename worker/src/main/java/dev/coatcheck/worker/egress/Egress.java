package dev.coatcheck.worker.egress;

/** The one door out of the process. */
public interface Egress extends AutoCloseable {
  /**
   * Sends a request and waits for the whole response, at most for the request's timeout. Blocks; to
   * be called on a virtual thread, with no connection or transaction of the database in hand.
   */
  EgressResult exchange(EgressRequest request, OutboundCall call);

  @Override
  void close();
}
