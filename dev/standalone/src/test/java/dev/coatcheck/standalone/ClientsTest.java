package dev.coatcheck.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** Runs the page of clients, block by block as it stands there, against the real thing. */
@Timeout(120)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ClientsTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  /** A fenced block whose first line names its file. */
  private static final Pattern BLOCK =
      Pattern.compile("```(?:bash|js)\\n(?:#|//) ([a-z]+\\.(?:sh|mjs)).*\\n([\\s\\S]*?)```");

  private static final long LIMIT_SECONDS = 60;

  @TempDir static Path directory;

  private StandaloneProcess standalone;
  private Path scripts;

  @BeforeAll
  void start() throws IOException {
    scripts = Files.createDirectory(directory.resolve("scripts"));
    String page = Files.readString(RepositoryRoot.find().resolve("docs/clients.md"));
    var blocks = BLOCK.matcher(page);
    while (blocks.find()) {
      Files.writeString(scripts.resolve(blocks.group(1)), blocks.group(2));
    }
    standalone =
        StandaloneProcess.start(
                directory,
                "--server.port=0",
                "--jobrunr.dashboard.port=0",
                "--coatcheck.webhooks.secret=" + SECRET,
                "--coatcheck.webhooks.allow-private-addresses=true")
            .ready();
  }

  @AfterAll
  void stop() {
    standalone.close();
  }

  @Test
  void each_block_has_a_test() throws IOException {
    try (var files = Files.list(scripts)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .contains(
              "submit.sh",
              "wait.sh",
              "events.sh",
              "verify.sh",
              "coatcheck.mjs",
              "ask.mjs",
              "receive.mjs");
    }
  }

  @Test
  void curl_submits_waits_and_reads_events() throws Exception {
    assumeTrue(has("curl", "--version"), "curl is not installed");
    Ran submitted = run(Map.of(), "bash", "submit.sh");
    assertThat(field(submitted, "/status")).isEqualTo("completed");
    assertThat(field(submitted, "/output_text")).isNotEmpty();
    String id = field(submitted, "/id");
    assertThat(field(run(Map.of(), "bash", "submit.sh"), "/id")).as("repeated").isEqualTo(id);

    Ran waited = run(Map.of(), "bash", "wait.sh", id);
    assertThat(field(waited, "/id")).isEqualTo(id);
    assertThat(field(waited, "/status")).isEqualTo("completed");

    assertThat(run(Map.of(), "bash", "events.sh", id).output)
        .contains("event: job.queued", "event: attempt.started", "event: job.completed");
  }

  @Test
  void the_shell_verifies_a_webhook() throws Exception {
    assumeTrue(has("openssl", "version"), "openssl is not installed");
    BlockingQueue<Received> inbox = new LinkedBlockingQueue<>();
    HttpServer server = server(inbox);
    try {
      submitWithWebhook("shell", server.getAddress().getPort());
      Received webhook = inbox.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
      assertThat(webhook).isNotNull();
      Files.write(scripts.resolve("body"), webhook.body);
      assertThat(run(webhook.variables(), "bash", "verify.sh", "body").exit).isZero();

      Files.writeString(scripts.resolve("body"), " ", StandardOpenOption.APPEND);
      assertThat(run(webhook.variables(), "bash", "verify.sh", "body").exit).isNotZero();
      Files.write(scripts.resolve("body"), webhook.body);
      var old = new HashMap<>(webhook.variables());
      old.put("WEBHOOK_TIMESTAMP", "1700000000");
      assertThat(run(old, "bash", "verify.sh", "body").exit).isNotZero();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void javascript_submits_follows_events_and_waits() throws Exception {
    assumeTrue(has("node", "--version"), "node is not installed");
    Ran asked = run(Map.of(), "node", "ask.mjs");
    assertThat(asked.exit).as(asked.output).isZero();
    assertThat(asked.output.lines().toList())
        .contains("1 job.queued")
        .anyMatch(line -> line.endsWith(" job.completed"));
    assertThat(asked.output.lines().reduce("", (first, second) -> second))
        .as("the output")
        .isNotBlank()
        .doesNotContain("undefined", "job.completed");
  }

  @Test
  void javascript_receives_webhooks_and_refuses_forged_ones() throws Exception {
    assumeTrue(has("node", "--version"), "node is not installed");
    int port = freePort();
    Path log = scripts.resolve("receiver.log");
    Process receiver =
        builder(Map.of("PORT", Integer.toString(port)), "node", "receive.mjs")
            .redirectOutput(log.toFile())
            .start();
    try {
      String id = submitWithWebhook("javascript", port);
      await()
          .atMost(Duration.ofSeconds(LIMIT_SECONDS))
          .until(() -> Files.readString(log).contains("job.completed " + id));
      try (var client = HttpClient.newHttpClient()) {
        var forged =
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port))
                .header("webhook-id", "evt_1")
                .header("webhook-timestamp", Long.toString(System.currentTimeMillis() / 1000))
                .header("webhook-signature", "v1,AAAA")
                .POST(HttpRequest.BodyPublishers.ofString("{}"))
                .build();
        assertThat(client.send(forged, HttpResponse.BodyHandlers.discarding()).statusCode())
            .isEqualTo(400);
      }
    } finally {
      receiver.destroyForcibly().waitFor();
    }
  }

  private String submitWithWebhook(String key, int port) throws Exception {
    var ticket =
        standalone.submit(
            key,
            "{\"model\":\"simulator/demo\",\"prompt\":\"hi\",\"webhook\":{\"url\":\"http://127.0.0.1:%d/\"}}"
                .formatted(port),
            0);
    assertThat(ticket.statusCode()).as(ticket.body()).isEqualTo(202);
    return JsonMapper.shared().readTree(ticket.body()).path("id").asString();
  }

  private record Received(Map<String, String> headers, byte[] body) {
    Map<String, String> variables() {
      return Map.of(
          "WEBHOOK_ID", headers.getOrDefault("webhook-id", ""),
          "WEBHOOK_TIMESTAMP", headers.getOrDefault("webhook-timestamp", ""),
          "WEBHOOK_SIGNATURE", headers.getOrDefault("webhook-signature", ""));
    }
  }

  private static HttpServer server(BlockingQueue<Received> inbox) throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          var headers = new HashMap<String, String>();
          exchange
              .getRequestHeaders()
              .forEach(
                  (name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
          inbox.add(new Received(headers, exchange.getRequestBody().readAllBytes()));
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    return server;
  }

  private record Ran(int exit, String output) {}

  private Ran run(Map<String, String> variables, String... command) throws Exception {
    Path log = Files.createTempFile(directory, "script", ".log");
    Process process = builder(variables, command).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    return new Ran(process.exitValue(), Files.readString(log));
  }

  private ProcessBuilder builder(Map<String, String> variables, String... command) {
    var builder =
        new ProcessBuilder(new ArrayList<>(List.of(command)))
            .directory(scripts.toFile())
            .redirectErrorStream(true);
    builder.environment().put("COATCHECK", standalone.api());
    builder.environment().put("COATCHECK_KEY", "none");
    builder.environment().put("WEBHOOK_SECRET", SECRET);
    builder.environment().putAll(variables);
    return builder;
  }

  private static String field(Ran ran, String pointer) {
    assertThat(ran.exit).as(ran.output).isZero();
    return JsonMapper.shared().readTree(ran.output).at(pointer).asString("");
  }

  private static boolean has(String... command) throws InterruptedException {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
