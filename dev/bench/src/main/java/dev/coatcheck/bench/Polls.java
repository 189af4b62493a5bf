package dev.coatcheck.bench;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * Callers that ask for their jobs at a fixed rate, whether or not the answers keep up: a poll's
 * latency counts from when it was due.
 */
final class Polls {
  private static final int CALLERS = 20;

  private final URI server;
  private final List<String> paths;

  Polls(URI server, List<String> paths) {
    this.server = server;
    this.paths = paths;
  }

  Samples run(int perSecond, Duration time) throws InterruptedException {
    long gap = CALLERS * 1_000_000_000L / perSecond;
    int each = (int) (time.toNanos() / gap);
    long start = System.nanoTime();
    var latencyMs = new Samples();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Samples>> callers =
          IntStream.range(0, CALLERS)
              .<Callable<Samples>>mapToObj(
                  nth -> () -> poll(start + nth * gap / CALLERS, gap, each))
              .toList();
      for (var caller : threads.invokeAll(callers)) {
        latencyMs.addAll(caller.get());
      }
    } catch (ExecutionException e) {
      throw new BenchFailed("a poll failed: " + e.getCause());
    }
    return latencyMs;
  }

  private Samples poll(long first, long gap, int times) throws IOException, InterruptedException {
    var latencyMs = new Samples();
    var random = new SplittableRandom(first);
    try (var caller = new Caller(server)) {
      for (int nth = 0; nth < times; nth++) {
        long due = first + nth * gap;
        Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
        caller.get(paths.get(random.nextInt(paths.size())), Submits.AUTHORIZATION).expect(200);
        latencyMs.add((System.nanoTime() - due) / 1e6);
      }
    }
    return latencyMs;
  }
}
