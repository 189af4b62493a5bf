package dev.coatcheck.worker.egress;

import dev.coatcheck.worker.egress.EgressResult.Head;
import dev.coatcheck.worker.egress.EgressResult.Loss;
import dev.coatcheck.worker.egress.EgressResult.Lost;
import dev.coatcheck.worker.egress.EgressResult.NotSent;
import dev.coatcheck.worker.egress.EgressResult.Reach;
import dev.coatcheck.worker.egress.EgressResult.Response;
import dev.coatcheck.worker.egress.EgressResult.Unsent;
import java.net.ConnectException;
import java.net.UnknownHostException;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.MalformedChunkCodingException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.TruncatedChunkException;
import org.jspecify.annotations.Nullable;

/**
 * Says in our words why an exchange failed. The exception ends here: its text may hold a URL or a
 * header.
 */
final class NameFailure {
  private NameFailure() {}

  static EgressResult of(Exception failure, Exchange exchange, @Nullable Head head) {
    if (exchange.reach() == Reach.NOTHING_SENT) {
      Unsent cause = exchange.ended() == null ? unsent(failure) : Unsent.TIMEOUT;
      return new NotSent(cause, exchange.duration());
    }
    if (failure.getCause() instanceof MarkSent.SwitchingProtocols) {
      return new Response(
          HttpStatus.SC_SWITCHING_PROTOCOLS, Headers.NONE, Body.EMPTY, exchange.duration());
    }
    Loss ended = exchange.ended();
    return new Lost(ended == null ? loss(failure) : ended, head, exchange.duration());
  }

  private static Unsent unsent(Exception failure) {
    return switch (failure) {
      case ForbiddenAddress _ -> Unsent.FORBIDDEN;
      case UnknownHostException _ -> Unsent.UNRESOLVED;
      case ConnectTimeoutException _ -> Unsent.CONNECT_TIMEOUT;
      case ConnectionRequestTimeoutException _ -> Unsent.NO_CONNECTION;
      case ConnectException _ -> Unsent.REFUSED;
      case SSLException _ -> Unsent.TLS;
      case RuntimeException _ -> Unsent.INVALID;
      default -> Unsent.UNREACHABLE;
    };
  }

  private static Loss loss(Exception failure) {
    Throwable cause = failure.getCause() == null ? failure : failure.getCause();
    return switch (cause) {
      case TruncatedChunkException _ -> Loss.CONNECTION;
      case MalformedChunkCodingException _ -> Loss.GARBLED;
      case MessageConstraintException _ -> Loss.GARBLED;
      case ProtocolException _ -> Loss.GARBLED;
      case RuntimeException _ -> Loss.GARBLED;
      default -> Loss.CONNECTION;
    };
  }
}
