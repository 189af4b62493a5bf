package dev.coatcheck.worker.egress;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The system's resolver, made bearable: a look-up blocks in native code, where it would hold the
 * carrier of a virtual thread and hear no interrupt. So a few threads of its own make the look-ups,
 * one for a name however many wait for it, and nobody waits longer than the limit.
 */
final class SystemHosts implements ResolveHost {
  private static final int THREADS = 8;
  private static final int QUEUE = 10_000;

  private final Duration limit;
  private final ResolveHost blocking;
  private final ThreadPoolExecutor threads;
  private final Map<String, LookUp> running = new ConcurrentHashMap<>();

  SystemHosts(Duration limit) {
    this(limit, host -> List.of(InetAddress.getAllByName(host)));
  }

  SystemHosts(Duration limit, ResolveHost blocking) {
    this.limit = limit;
    this.blocking = blocking;
    this.threads =
        new ThreadPoolExecutor(
            THREADS,
            THREADS,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(QUEUE),
            Thread.ofPlatform().daemon().name("resolve-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  private static final class LookUp {
    private final CompletableFuture<List<InetAddress>> addresses = new CompletableFuture<>();

    /** When somebody wanted it last. */
    private volatile long wantedAt = System.nanoTime();
  }

  @Override
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    try {
      CompletableFuture<List<InetAddress>> lookUp = lookUp(host);
      CompletableFuture.anyOf(lookUp, overOfThisCall()).get(limit.toNanos(), TimeUnit.NANOSECONDS);
      if (lookUp.isDone()) {
        return lookUp.get();
      }
      throw new UnknownHostException(host);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException(host);
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      throw new UnknownHostException(host);
    }
  }

  /** A call that is given up waits no longer, though the look-up itself goes on. */
  private static CompletableFuture<Void> overOfThisCall() {
    return Exchange.CURRENT.isBound() ? Exchange.CURRENT.get().over() : new CompletableFuture<>();
  }

  private CompletableFuture<List<InetAddress>> lookUp(String host) {
    var mine = new LookUp();
    LookUp earlier = running.putIfAbsent(host, mine);
    if (earlier != null) {
      earlier.wantedAt = System.nanoTime();
      return earlier.addresses;
    }
    try {
      threads.execute(() -> complete(mine, host));
    } catch (RuntimeException full) {
      running.remove(host, mine);
      mine.addresses.completeExceptionally(full);
    }
    return mine.addresses;
  }

  private void complete(LookUp lookUp, String host) {
    try {
      if (isAbandoned(lookUp)) {
        throw new UnknownHostException(host);
      }
      lookUp.addresses.complete(blocking.resolve(host));
    } catch (UnknownHostException | RuntimeException e) {
      lookUp.addresses.completeExceptionally(e);
    } finally {
      running.remove(host, lookUp);
    }
  }

  /** Nobody waits any more: names that do not resolve must not keep those behind them waiting. */
  private boolean isAbandoned(LookUp lookUp) {
    return System.nanoTime() - lookUp.wantedAt > limit.toNanos();
  }
}
