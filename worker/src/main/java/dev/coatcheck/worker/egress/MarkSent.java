package dev.coatcheck.worker.egress;

import java.io.IOException;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.HttpClientConnection;
import org.apache.hc.core5.http.io.HttpResponseInformationCallback;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The last step before a request meets its socket, and the first at which a connection (with its
 * name look-up, TLS handshake and proxy tunnel) stands. What fails before was never sent.
 */
final class MarkSent extends HttpRequestExecutor {
  static final String EXCHANGE = "coatcheck.exchange";

  @Override
  public ClassicHttpResponse execute(
      ClassicHttpRequest request,
      HttpClientConnection connection,
      @Nullable HttpResponseInformationCallback ignored,
      HttpContext context)
      throws IOException, HttpException {
    if (!Method.CONNECT.isSame(request.getMethod())
        && context.getAttribute(EXCHANGE) instanceof Exchange exchange) {
      if (connection.getEndpointDetails().getResponseCount() > 0
          && connection.isDataAvailable(Timeout.ofMilliseconds(1))) {
        // Bytes after the last answer: the next answer on this connection would be somebody else's.
        exchange.badConnection();
        throw new IOException("unsolicited bytes");
      }
      exchange.sent();
    }
    return super.execute(
        request,
        connection,
        (response, from, during) -> {
          // Nobody asked for another protocol; no final response will ever follow.
          if (response.getCode() == HttpStatus.SC_SWITCHING_PROTOCOLS) {
            throw new SwitchingProtocols();
          }
        },
        context);
  }

  /** A 101 that ended an exchange. */
  static final class SwitchingProtocols extends HttpException {
    private static final long serialVersionUID = 1L;
  }
}
