package dev.coatcheck.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** One caller who reads a job's events until its end. */
final class Follower implements Callable<Follower.Seen> {
  private static final int CONNECT_MS = 30_000;
  private static final Pattern CREATED = Pattern.compile("\"created_at\":\"([^\"]+)\"");

  private final URI server;
  private final String job;
  private final CountDownLatch open;

  private Follower(URI server, String job, CountDownLatch open) {
    this.server = server;
    this.job = job;
    this.open = open;
  }

  /**
   * @param lateMs from the last event's row to its reading, on one machine's clock
   */
  record Seen(int events, double lateMs) {}

  /** All of them at once. */
  record Crowd(ExecutorService threads, List<Future<Seen>> ends, CountDownLatch open)
      implements AutoCloseable {
    void awaitOpen(Duration limit) throws InterruptedException {
      if (!open.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw new BenchFailed(open.getCount() + " streams did not open");
      }
    }

    Samples awaitEnds(Duration limit, int events) throws Exception {
      var late = new Samples();
      for (var end : ends) {
        try {
          var seen = end.get(limit.toMillis(), TimeUnit.MILLISECONDS);
          if (seen.events != events) {
            throw new BenchFailed("a stream had %d events".formatted(seen.events));
          }
          late.add(seen.lateMs);
        } catch (ExecutionException e) {
          throw new BenchFailed("a stream failed: " + e.getCause());
        }
      }
      return late;
    }

    @Override
    public void close() {
      threads.shutdownNow();
    }
  }

  static Crowd all(URI server, List<String> paths) {
    var threads = Executors.newVirtualThreadPerTaskExecutor();
    var open = new CountDownLatch(paths.size());
    var ends = new ArrayList<Future<Seen>>();
    for (var path : paths) {
      ends.add(threads.submit(new Follower(server, path, open)));
    }
    return new Crowd(threads, ends, open);
  }

  @Override
  public Seen call() throws IOException {
    try (var socket = new Socket()) {
      socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), CONNECT_MS);
      // HTTP/1.0, so that the body comes without chunks and ends with the connection.
      var request = "GET %s/events HTTP/1.0\r\n%s\r\n".formatted(job, Submits.AUTHORIZATION);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      return read(new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8)));
    }
  }

  private Seen read(BufferedReader lines) throws IOException {
    var status = lines.readLine();
    if (status == null || !status.contains(" 200")) {
      throw new BenchFailed("a stream was answered " + status);
    }
    int events = 0;
    double late = 0;
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      Matcher created = CREATED.matcher(line);
      if (line.startsWith("data: ") && created.find()) {
        if (++events == 1) {
          open.countDown();
        }
        late = Duration.between(Instant.parse(created.group(1)), Instant.now()).toNanos() / 1e6;
      }
    }
    return new Seen(events, late);
  }
}
