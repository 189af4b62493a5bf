package dev.coatcheck.worker.egress;

import dev.coatcheck.worker.egress.EgressResult.Aborted;
import dev.coatcheck.worker.egress.EgressResult.Head;
import dev.coatcheck.worker.egress.EgressResult.NotSent;
import dev.coatcheck.worker.egress.EgressResult.Reach;
import dev.coatcheck.worker.egress.EgressResult.Unsent;
import java.io.IOException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.TimeValue;
import org.jspecify.annotations.Nullable;

/** The door, by Apache HttpClient's blocking client: made for virtual threads. */
final class ApacheEgress implements Egress {
  private final EgressSettings settings;
  private final EgressProbe probe;
  private final ScheduledThreadPoolExecutor timer;
  private final PoolingHttpClientConnectionManager pool;
  private final CloseableHttpClient client;
  private final ScheduledFuture<?> sweeps;

  ApacheEgress(EgressSettings settings, int connections, EgressProbe probe, ResolveHost hosts) {
    this.settings = settings;
    this.probe = probe;
    this.pool = ApacheClient.pool(settings, connections, hosts);
    this.client = ApacheClient.client(settings, pool);
    this.timer =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("egress-timer").factory());
    timer.setRemoveOnCancelPolicy(true);
    long sweep = Limits.SWEEP.toMillis();
    Runnable start = () -> Thread.ofVirtual().name("egress-sweep").start(this::sweep);
    this.sweeps = timer.scheduleWithFixedDelay(start, sweep, sweep, TimeUnit.MILLISECONDS);
  }

  @Override
  public EgressResult exchange(EgressRequest request, OutboundCall call, BodySink sink) {
    probe.opened();
    try {
      return send(request, call, sink);
    } finally {
      probe.closed();
    }
  }

  private EgressResult send(EgressRequest request, OutboundCall call, BodySink sink) {
    HttpPost post = new HttpPost(request.uri());
    try (Exchange exchange = new Exchange(post, timer, settings.idleTimeout(), probe)) {
      if (!call.open(exchange::closeSocket)) {
        return aborted(exchange, call);
      }
      if (!request.timeout().isPositive()) {
        return new NotSent(Unsent.TIMEOUT, exchange.duration());
      }
      exchange.start(request.timeout());
      WritePost.write(post, request, exchange);
      long limit = Math.min(settings.maxResponse().toBytes(), request.maxResponse());
      var reader = new ReadResponse(limit, exchange, sink);
      EgressResult result = send(post, exchange, call, reader);
      for (int other = 0; exchange.tryAnother() && other < Limits.BAD_CONNECTIONS; other++) {
        result = send(post, exchange, call, reader);
      }
      return result;
    }
  }

  private EgressResult send(
      HttpPost post, Exchange exchange, OutboundCall call, ReadResponse reader) {
    HttpClientContext context = HttpClientContext.create();
    context.setAttribute(MarkSent.EXCHANGE, exchange);
    try (ClassicHttpResponse response =
        ScopedValue.where(Exchange.CURRENT, exchange)
            .call(() -> client.executeOpen(null, post, context))) {
      if (exchange.reach() == Reach.NOTHING_SENT) {
        // The only answer that can come before the request is a proxy's, to CONNECT.
        post.abort();
        return new NotSent(Unsent.PROXY, exchange.duration());
      }
      return reader.read(response, post);
    } catch (IOException | RuntimeException e) {
      // A RuntimeException here is the client's about something that the peer sent.
      return reader.result().orElseGet(() -> failed(e, exchange, call, reader.head()));
    }
  }

  private static EgressResult failed(
      Exception failure, Exchange exchange, OutboundCall call, @Nullable Head head) {
    return call.aborted().isPresent()
        ? aborted(exchange, call)
        : NameFailure.of(failure, exchange, head);
  }

  private static EgressResult aborted(Exchange exchange, OutboundCall call) {
    AbortReason reason = call.aborted().orElseThrow();
    return new Aborted(reason, exchange.reach(), exchange.duration());
  }

  private void sweep() {
    pool.closeExpired();
    pool.closeIdle(TimeValue.of(Limits.KEEP_ALIVE));
  }

  @Override
  public void close() {
    sweeps.cancel(false);
    timer.shutdownNow();
    client.close(CloseMode.IMMEDIATE);
    pool.close(CloseMode.IMMEDIATE);
  }
}
