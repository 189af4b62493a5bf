package dev.coatcheck.worker.deliver;

import dev.coatcheck.db.dispatch.DeliveryStarter;
import dev.coatcheck.db.dispatch.DispatchEnd;
import dev.coatcheck.worker.egress.AbortReason;
import dev.coatcheck.worker.egress.OutboundCall;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Tries deliveries, each on a virtual thread of ours. At a stop it lets those end that end in time;
 * the others are aborted, and sent again by another worker.
 */
final class Deliveries implements DeliveryStarter, SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(Deliveries.class);

  /** After the dispatch server, which takes no new work from then on. */
  private static final int PHASE = DEFAULT_PHASE - 1;

  /** How long the releasing of what is left may take. */
  private static final Duration RELEASE = Duration.ofSeconds(2);

  private final DeliverWebhook deliver;
  private final Runnable settled;
  private final Duration stopGrace;
  private final Set<Try> tries = ConcurrentHashMap.newKeySet();
  private volatile boolean running;

  /**
   * @param settled told after each try: its endpoint has room for another
   */
  Deliveries(DeliverWebhook deliver, Runnable settled, Duration stopGrace) {
    this.deliver = deliver;
    this.settled = settled;
    this.stopGrace = stopGrace;
  }

  private record Try(OutboundCall call, CompletableFuture<DispatchEnd> end) {}

  @Override
  public Future<DispatchEnd> start(Start start) {
    start.slot().take();
    var one = new Try(new OutboundCall(), new CompletableFuture<>());
    tries.add(one);
    Thread _ =
        Thread.ofVirtual().name("delivery-" + start.delivery()).start(() -> attempt(start, one));
    return one.end;
  }

  /** The edge of a try: whatever leaves it is caught here, and its slot given back. */
  private void attempt(Start start, Try one) {
    try {
      one.end.complete(deliver.deliver(start, one.call));
    } catch (Throwable e) {
      log.atWarn()
          .setMessage("delivery broke off")
          .addKeyValue("delivery", start.delivery())
          .setCause(e)
          .log();
      one.end.completeExceptionally(e);
    } finally {
      start.slot().release();
      tries.remove(one);
      settled.run();
    }
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    if (!awaitAll(stopGrace)) {
      tries.forEach(one -> one.call.abort(AbortReason.STOPPING));
      if (!awaitAll(RELEASE)) {
        log.warn("some deliveries could not be released; they will be sent again");
      }
    }
    running = false;
  }

  private boolean awaitAll(Duration patience) {
    var all =
        CompletableFuture.allOf(
            tries.stream()
                .map(one -> one.end.handle((end, failure) -> true))
                .toArray(CompletableFuture[]::new));
    try {
      all.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      return true;
    } catch (TimeoutException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException("failures were handled", e);
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
