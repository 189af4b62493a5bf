package dev.coatcheck.processes;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.coatcheck.simulator.SimulatorMain;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The simulator as a process: without latency, and with a ledger that is read over HTTP. */
public final class SimulatorProcess implements AutoCloseable {
  private static final Duration TIME_TO_START = Duration.ofSeconds(30);
  private static final Pattern BASE_URL = Pattern.compile("(?m)^(http://\\S+)$");
  private static final JsonMapper JSON = new JsonMapper();

  private final ChildProcess process;
  private final URI baseUrl;

  private SimulatorProcess(ChildProcess process, URI baseUrl) {
    this.process = process;
    this.baseUrl = baseUrl;
  }

  /**
   * One request that it received.
   *
   * @param requestId what its answer is called
   * @param ending {@code whole} if the answer was sent to its end
   * @param promptTokens what it charges for the question
   */
  public record Received(
      Instant at, String prompt, String requestId, String ending, int promptTokens) {}

  /**
   * Its counts since they were last cleared.
   *
   * @param peakOpen the most callers that ever waited at once
   */
  public record Counts(long received, long whole, int open, int peakOpen) {}

  /**
   * @param jvm the JVM's own arguments
   */
  public static SimulatorProcess start(List<String> jvm, Path log) {
    var arguments = new ArrayList<>(jvm);
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    arguments.add(SimulatorMain.class.getName());
    arguments.addAll(List.of("--port=0", "--latency=0ms..0ms", "--ledger-entries=100000"));
    var process = ChildProcess.java(arguments, log);
    try {
      return new SimulatorProcess(process, URI.create(process.awaitLog(BASE_URL, TIME_TO_START)));
    } catch (RuntimeException e) {
      process.close();
      throw e;
    }
  }

  public ChildProcess process() {
    return process;
  }

  /** What a provider's base URL is set to. */
  public URI baseUrl() {
    return baseUrl;
  }

  /** The newest requests whose prompt has the marker in it, in order of arrival. */
  public List<Received> received(String marker) {
    var found = new ArrayList<Received>();
    for (var entry :
        ledger("GET", "?limit=100000&contains=" + URLEncoder.encode(marker, UTF_8))
            .path("entries")) {
      found.add(
          new Received(
              Instant.parse(entry.path("arrived_at").asString()),
              entry.path("prompt").asString(),
              "req_sim" + entry.path("number").asLong(),
              entry.path("ending").asString(),
              entry.path("prompt_tokens").asInt()));
    }
    return found;
  }

  public Counts counts() {
    var counts = ledger("GET", "?limit=0").path("counts");
    return new Counts(
        counts.path("received").asLong(),
        counts.path("whole").asLong(),
        counts.path("open").asInt(),
        counts.path("peak_open").asInt());
  }

  /** Forgets every request and count. */
  public void clear() {
    ledger("DELETE", "");
  }

  private JsonNode ledger(String method, String query) {
    try {
      var url = baseUrl.resolve("/__ledger" + query).toURL();
      var connection = (HttpURLConnection) url.openConnection();
      connection.setRequestMethod(method);
      try (InputStream body = connection.getInputStream()) {
        return JSON.readTree(body.readAllBytes());
      }
    } catch (IOException e) {
      throw new ProcessFailed("no ledger from the simulator: " + e);
    }
  }

  @Override
  public void close() {
    process.close();
  }
}
