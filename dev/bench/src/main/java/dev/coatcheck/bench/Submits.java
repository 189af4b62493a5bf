package dev.coatcheck.bench;

import dev.coatcheck.processes.Stack;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** Submits jobs over HTTP, as many callers at once as it is told. */
final class Submits {
  static final String AUTHORIZATION = "Authorization: Bearer " + Stack.API_KEY + "\r\n";
  private static final double NS_PER_MS = 1e6;

  private final URI server;

  Submits(URI server) {
    this.server = server;
  }

  /**
   * What came of it.
   *
   * @param perSecond over all callers, from the first request to the last answer
   * @param latencyMs of each request
   * @param paths of the jobs
   */
  record Intake(double perSecond, Samples latencyMs, List<String> paths) {}

  /**
   * Jobs to submit.
   *
   * @param marker in every idempotency key and prompt, so that they can be told from others
   * @param prompt of the nth
   * @param more members of each body, each with its comma
   */
  record Order(String marker, int count, IntFunction<String> prompt, String more) {
    Order(String marker, int count, IntFunction<String> prompt) {
      this(marker, count, prompt, "");
    }

    /** The same, streamed. */
    Order streamed() {
      return new Order(marker, count, prompt, "\"stream\":true,");
    }

    /** Prompts that are answered at once. */
    static Order plain(String marker, int count) {
      return new Order(marker, count, nth -> "Summarise order " + marker + nth + ".");
    }
  }

  /** One connection a producer; each sends its share one after the other. */
  Intake all(Order order, int producers) throws IOException, InterruptedException {
    var callers = new ArrayList<Caller>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var shares = new ArrayList<Callable<Share>>();
      for (int producer = 0; producer < producers; producer++) {
        var caller = new Caller(server);
        callers.add(caller);
        var requests = new ArrayList<byte[]>();
        for (int nth = producer; nth < order.count; nth += producers) {
          requests.add(request(caller, order, nth));
        }
        shares.add(() -> send(caller, requests));
      }
      long start = System.nanoTime();
      var done = threads.invokeAll(shares);
      return intake(done, System.nanoTime() - start);
    } finally {
      for (var caller : callers) {
        caller.close();
      }
    }
  }

  private record Share(Samples latencyMs, List<String> paths) {}

  private static Share send(Caller caller, List<byte[]> requests) throws IOException {
    var share = new Share(new Samples(), new ArrayList<>());
    for (var request : requests) {
      long start = System.nanoTime();
      var answer = caller.send(request).expect(202);
      share.latencyMs.add((System.nanoTime() - start) / NS_PER_MS);
      share.paths.add(answer.location());
    }
    return share;
  }

  private static Intake intake(List<Future<Share>> shares, long nanos) throws InterruptedException {
    var latency = new Samples();
    var paths = new ArrayList<String>();
    for (var share : shares) {
      try {
        latency.addAll(share.get().latencyMs);
        paths.addAll(share.get().paths);
      } catch (ExecutionException e) {
        throw new BenchFailed("a submit failed: " + e.getCause());
      }
    }
    return new Intake(paths.size() / (nanos / 1e9), latency, paths);
  }

  /** The request of one job, ready to be sent. */
  static byte[] request(Caller caller, Order order, int nth) {
    var headers = AUTHORIZATION + "Idempotency-Key: " + order.marker + nth + "\r\n";
    var body = "{" + order.more + "\"prompt\":\"" + order.prompt.apply(nth) + "\"}";
    return caller.postRequest("/v1/jobs", headers, body);
  }
}
