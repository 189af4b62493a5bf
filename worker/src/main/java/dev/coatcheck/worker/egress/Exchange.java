package dev.coatcheck.worker.egress;

import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.worker.egress.EgressResult.Loss;
import dev.coatcheck.worker.egress.EgressResult.Reach;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.jspecify.annotations.Nullable;

/**
 * One exchange under way: how far it got, and who ended it. Its timers run on one thread for all
 * exchanges, which only ever starts a virtual thread: closing a TLS socket may block.
 */
final class Exchange implements AutoCloseable {
  /** The exchange that this thread is at. */
  static final ScopedValue<Exchange> CURRENT = ScopedValue.newInstance();

  private final HttpPost post;
  private final ScheduledExecutorService timer;
  private volatile Duration idle;
  private final EgressProbe probe;
  private final long startedNanos = System.nanoTime();

  private final CompletableFuture<Void> over = new CompletableFuture<>();

  private volatile boolean sent;
  private boolean badConnection;
  private volatile long lastByteNanos;
  private @Nullable Loss ended;
  private @Nullable ScheduledFuture<?> total;
  private @Nullable ScheduledFuture<?> stall;
  private @Nullable ScheduledFuture<?> farewell;
  private boolean closed;

  Exchange(HttpPost post, ScheduledExecutorService timer, Duration idle, EgressProbe probe) {
    this.post = post;
    this.timer = timer;
    this.idle = idle;
    this.probe = probe;
  }

  synchronized void start(Duration timeout) {
    total = timer.schedule(() -> end(Loss.TIMEOUT), timeout.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** It has got this far. */
  void reach(Checkpoint point) {
    probe.reach(point);
  }

  void sent() {
    sent = true;
  }

  /** The pooled connection was not fit for use, and nothing was sent on it. */
  void badConnection() {
    badConnection = true;
  }

  /** Whether to try on another connection: asked once for each bad one. */
  boolean tryAnother() {
    boolean another = badConnection && !sent;
    badConnection = false;
    return another;
  }

  Reach reach() {
    return sent ? Reach.MAYBE_SENT : Reach.NOTHING_SENT;
  }

  /** The headers are here: from now on silence is a fault. */
  void headersArrived() {
    lastByteNanos = System.nanoTime();
    watch(idle.toNanos());
  }

  void bytesArrived() {
    lastByteNanos = System.nanoTime();
  }

  /** From now on silence is a fault sooner, if it was not already. */
  synchronized void shortenIdle(Duration shorter) {
    if (shorter.compareTo(idle) < 0) {
      idle = shorter;
      if (stall != null) {
        stall.cancel(false);
      }
      watch(shorter.toNanos());
    }
  }

  /** The body's end is waited for this long, and no longer. */
  synchronized void endIn(Duration soon) {
    if (!closed) {
      farewell = timer.schedule(() -> end(Loss.IDLE), soon.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  private synchronized void watch(long inNanos) {
    if (!closed) {
      stall = timer.schedule(this::checkStall, inNanos, TimeUnit.NANOSECONDS);
    }
  }

  private void checkStall() {
    long left = idle.toNanos() - (System.nanoTime() - lastByteNanos);
    if (left > 0) {
      watch(left);
    } else {
      end(Loss.IDLE);
    }
  }

  /** Ends the exchange for a reason of ours; the first one stands. */
  void end(Loss why) {
    synchronized (this) {
      if (closed || ended != null) {
        return;
      }
      ended = why;
    }
    closeSocket();
  }

  void closeSocket() {
    over.complete(null);
    Thread.ofVirtual().name("close-socket").start(post::abort);
  }

  /** Done when the exchange was given up, whatever it waits for. */
  CompletableFuture<Void> over() {
    return over;
  }

  /** Why we ended it ourselves, if we did. */
  synchronized @Nullable Loss ended() {
    return ended;
  }

  Duration duration() {
    return Duration.ofNanos(System.nanoTime() - startedNanos);
  }

  /** Stops the timers. */
  @Override
  public synchronized void close() {
    closed = true;
    if (total != null) {
      total.cancel(false);
    }
    if (stall != null) {
      stall.cancel(false);
    }
    if (farewell != null) {
      farewell.cancel(false);
    }
  }
}
