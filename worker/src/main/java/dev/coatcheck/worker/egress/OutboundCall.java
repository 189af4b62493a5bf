package dev.coatcheck.worker.egress;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The handle on one call: it can be aborted from any thread at any time, before it starts too. The
 * first reason stands. One call, one exchange.
 */
public final class OutboundCall {
  private @Nullable AbortReason reason;
  private @Nullable Runnable closeSocket;

  /** Gives the call up: its socket is closed at once, whatever it waits for. */
  public void abort(AbortReason why) {
    Runnable close;
    synchronized (this) {
      if (reason != null) {
        return;
      }
      reason = why;
      close = closeSocket;
    }
    if (close != null) {
      close.run();
    }
  }

  /** Why the call was given up, if it was. */
  public synchronized Optional<AbortReason> aborted() {
    return Optional.ofNullable(reason);
  }

  /** Whether an exchange has taken it up. */
  synchronized boolean isOpen() {
    return closeSocket != null;
  }

  /** Says how to close the socket; false if the call was aborted before. */
  synchronized boolean open(Runnable close) {
    if (closeSocket != null) {
      throw new IllegalStateException("a call is used for one exchange only");
    }
    closeSocket = close;
    return reason == null;
  }
}
