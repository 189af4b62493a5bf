package dev.coatcheck.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** The application as a newcomer runs it: a process, its log, its signals. */
final class StandaloneProcess implements AutoCloseable {
  private static final Duration START = Duration.ofSeconds(60);
  private static final Pattern API = Pattern.compile("API +(http://\\S+)/v1/jobs");

  private final Process process;
  private final Path log;
  private final HttpClient client = HttpClient.newHttpClient();

  private String authorization = "none";

  private StandaloneProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts it with its data in a directory's {@code data}; other files of the test lie beside. */
  static StandaloneProcess start(Path directory, String... arguments) {
    try {
      var command =
          new ArrayList<>(
              List.of(
                  // Whoever started the tests in the background had their Ctrl-C ignored, and so
                  // would their children.
                  "perl",
                  "-e",
                  "$SIG{INT} = 'DEFAULT'; exec @ARGV",
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx512m",
                  "-XX:TieredStopAtLevel=1",
                  "-cp",
                  System.getProperty("java.class.path"),
                  StandaloneApplication.class.getName()));
      command.addAll(Arrays.asList(arguments));
      var log = Files.createTempFile(directory, "standalone", ".log");
      var builder =
          new ProcessBuilder(command)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile());
      builder.environment().remove("OPENAI_API_KEY");
      return new StandaloneProcess(builder.start(), log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  StandaloneProcess ready() {
    await().atMost(START).until(() -> !process.isAlive() || API.matcher(log()).find());
    assertThat(process.isAlive()).as(log()).isTrue();
    return this;
  }

  HttpResponse<String> submit(String idempotencyKey, String body, int wait) throws Exception {
    return send(
        request("/v1/jobs")
            .header("Idempotency-Key", idempotencyKey)
            .header("Content-Type", "application/json")
            .header("Prefer", "wait=" + wait)
            .POST(BodyPublishers.ofString(body)));
  }

  HttpResponse<String> get(String path, int wait) throws Exception {
    return send(request(path).header("Prefer", "wait=" + wait));
  }

  HttpResponse<String> post(String path, String body) throws Exception {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  HttpResponse<String> delete(String path) throws Exception {
    return send(request(path).DELETE());
  }

  /** Sends this API key from now on. */
  StandaloneProcess withKey(String key) {
    authorization = "Bearer " + key;
    return this;
  }

  /** The address of its API. */
  String api() {
    var api = API.matcher(log());
    assertThat(api.find()).isTrue();
    return api.group(1);
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(api() + path)).header("Authorization", authorization);
  }

  private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
    return client.send(request.timeout(START).build(), BodyHandlers.ofString());
  }

  String log() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What Ctrl-C sends. */
  void interrupt() throws Exception {
    var kill = new ProcessBuilder("kill", "-INT", String.valueOf(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  int awaitEnd(Duration limit) throws InterruptedException {
    assertThat(process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)).as(log()).isTrue();
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    client.close();
  }
}
