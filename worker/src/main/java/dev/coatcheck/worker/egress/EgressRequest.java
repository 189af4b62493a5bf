package dev.coatcheck.worker.egress;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * A POST to somebody outside.
 *
 * @param timeout the whole exchange, from the name look-up to the last byte of the body
 * @param maxResponse bytes of the body that are accepted, if that is less than the door accepts
 */
public record EgressRequest(
    URI uri, List<Header> headers, Body body, Duration timeout, long maxResponse) {
  public EgressRequest {
    headers = List.copyOf(headers);
  }

  public EgressRequest(URI uri, List<Header> headers, Body body, Duration timeout) {
    this(uri, headers, body, timeout, Long.MAX_VALUE);
  }

  /** Never the query, headers or body. */
  @Override
  public String toString() {
    return "EgressRequest[" + uri.getHost() + ", " + body + "]";
  }
}
