package dev.coatcheck.worker.egress;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * A POST to somebody outside.
 *
 * @param timeout the whole exchange, from the name look-up to the last byte of the body
 */
public record EgressRequest(URI uri, List<Header> headers, Body body, Duration timeout) {
  public EgressRequest {
    headers = List.copyOf(headers);
  }

  /** Never the query, headers or body. */
  @Override
  public String toString() {
    return "EgressRequest[" + uri.getHost() + ", " + body + "]";
  }
}
