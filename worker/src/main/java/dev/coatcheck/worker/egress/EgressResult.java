package dev.coatcheck.worker.egress;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How an exchange came out. Every one ends in one of these; no exception leaves the door. */
public sealed interface EgressResult {
  /** From the start of the exchange, by the monotonic clock. */
  Duration duration();

  /** A whole response, whatever its status. */
  record Response(int status, Headers headers, Body body, Duration duration)
      implements EgressResult {}

  /** No byte of the request left us. */
  record NotSent(Unsent cause, Duration duration) implements EgressResult {}

  /**
   * The request was sent, or may have been, and no whole response came back.
   *
   * @param head what did arrive; none if not even the headers
   */
  record Lost(Loss cause, @Nullable Head head, Duration duration) implements EgressResult {}

  /** We gave it up ourselves. */
  record Aborted(AbortReason reason, Reach reach, Duration duration) implements EgressResult {}

  /**
   * The beginning of a response that broke off.
   *
   * @param received the bytes that did arrive
   */
  record Head(int status, Headers headers, Body received) {}

  /** How far a request got. */
  enum Reach {
    NOTHING_SENT,
    MAYBE_SENT
  }

  /** Why nothing was sent. */
  enum Unsent {
    REFUSED("the connection was refused"),
    UNRESOLVED("the host name could not be resolved"),
    FORBIDDEN("the host has an address that may not be called"),
    UNREACHABLE("the host could not be reached"),
    CONNECT_TIMEOUT("no connection within the connect timeout"),
    TLS("the TLS handshake failed"),
    PROXY("the proxy refused the tunnel"),
    TIMEOUT("the time was up before anything was sent"),
    NO_CONNECTION("no connection was free in time"),
    INVALID("the request could not be written");

    private final String words;

    Unsent(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  /** Why a sent request has no whole response. */
  enum Loss {
    TIMEOUT("no whole answer within the attempt's timeout"),
    IDLE("the answer stalled"),
    CONNECTION("the connection broke off before the whole answer"),
    GARBLED("the answer is not HTTP"),
    TOO_LARGE("the answer is larger than we accept");

    private final String words;

    Loss(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }
}
