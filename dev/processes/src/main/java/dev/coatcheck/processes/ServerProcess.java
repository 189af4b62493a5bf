package dev.coatcheck.processes;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** An app or a worker: one of our jars, serving on a port that it chose itself. */
public final class ServerProcess implements AutoCloseable {
  private static final Duration TIME_TO_START = Duration.ofMinutes(2);
  private static final Duration TIME_TO_ANSWER = Duration.ofSeconds(5);
  private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

  private final ChildProcess process;
  private final HttpClient client = HttpClient.newHttpClient();
  private URI url = URI.create("http://127.0.0.1/");

  private ServerProcess(ChildProcess process) {
    this.process = process;
  }

  static ServerProcess start(Program program, Launch launch) {
    var arguments = new ArrayList<>(launch.jvm());
    arguments.addAll(program.arguments());
    launch.properties().forEach((name, value) -> arguments.add("--" + name + "=" + value));
    arguments.add("--server.port=0");
    arguments.add("--logging.level.org.springframework.boot.tomcat=info");
    return new ServerProcess(ChildProcess.java(arguments, launch.log()));
  }

  /**
   * How a jar is started.
   *
   * @param jvm the JVM's own arguments
   * @param properties Spring's
   */
  record Launch(List<String> jvm, Map<String, String> properties, Path log) {
    Launch {
      jvm = List.copyOf(jvm);
      properties = Map.copyOf(properties);
    }
  }

  /** Returns once it says it is ready. */
  public ServerProcess awaitReady() {
    long until = System.nanoTime() + TIME_TO_START.toNanos();
    url = URI.create("http://127.0.0.1:" + process.awaitLog(PORT, TIME_TO_START) + "/");
    while (!isReady()) {
      if (!process.isAlive() || System.nanoTime() > until) {
        throw new ProcessFailed("not ready, " + process.log() + ":\n" + process.endOfLog());
      }
      ChildProcess.rest();
    }
    return this;
  }

  /** Whether it says so; false also when it does not answer. */
  public boolean isReady() {
    try {
      return get("/actuator/health/readiness").statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** What it listens on, with a slash at the end. */
  public URI url() {
    return url;
  }

  public ChildProcess process() {
    return process;
  }

  /** The sum of a metric's samples whose labels contain this text. */
  public double metric(String name, String labels) {
    var sample = Pattern.compile("(?m)^" + Pattern.quote(name) + "(?:\\{(.*)})? (\\S+)$");
    try {
      return sample
          .matcher(get("/actuator/prometheus").body())
          .results()
          .filter(found -> (found.group(1) == null ? "" : found.group(1)).contains(labels))
          .mapToDouble(found -> Double.parseDouble(found.group(2)))
          .sum();
    } catch (IOException e) {
      throw new ProcessFailed("no metrics from " + url + ": " + e);
    }
  }

  /** All its metrics, as they are scraped. */
  public String metrics() {
    try {
      return get("/actuator/prometheus").body();
    } catch (IOException e) {
      throw new ProcessFailed("no metrics from " + url + ": " + e);
    }
  }

  private java.net.http.HttpResponse<String> get(String path) throws IOException {
    var request =
        HttpRequest.newBuilder(url.resolve(path))
            .header("Authorization", "Bearer " + Stack.API_KEY)
            .timeout(TIME_TO_ANSWER)
            .build();
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProcessFailed("interrupted");
    }
  }

  @Override
  public void close() {
    process.close();
    client.close();
  }
}
