package dev.coatcheck.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/**
 * Everything that a process holds is looked through for what callers said and providers answered:
 * each table, its log, its dashboard.
 */
@Timeout(180)
class ErasureTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final List<String> STATES =
      List.of("SCHEDULED", "ENQUEUED", "PROCESSING", "SUCCEEDED", "FAILED", "DELETED");

  @TempDir Path directory;
  @TempDir Path settings;

  private final int postgres = freePort();
  private final int dashboard = freePort();

  @Test
  void after_an_erase_and_after_the_retention_nothing_holds_what_was_said() throws Exception {
    try (var standalone = start()) {
      String answered = ended(standalone, "one", answered("alpha"));
      String refused = ended(standalone, "two", refused("beta"));
      String helped = endedWithTool(standalone, "delta");
      ended(standalone, "three", answered("gamma"));
      assertThat(found("alpha", standalone))
          .as("prompt, params and answer are there to be found")
          .hasSizeGreaterThan(1);
      assertThat(found("beta", standalone)).isNotEmpty();

      assertThat(found("delta", standalone)).contains("tool_call", "turn");

      for (String id : List.of(answered, refused, helped)) {
        assertThat(standalone.delete("/v1/jobs/" + id).statusCode()).isEqualTo(204);
      }
      assertThat(found("alpha", standalone)).isEmpty();
      assertThat(found("beta", standalone)).isEmpty();
      assertThat(found("delta", standalone)).isEmpty();
      assertThat(found("gamma", standalone)).as("only what was named").isNotEmpty();
      standalone.interrupt();
      standalone.awaitEnd(Duration.ofSeconds(20));
    }
    try (var standalone = start("--coatcheck.retention=1s")) {
      await().atMost(LONG).untilAsserted(() -> assertThat(found("gamma", standalone)).isEmpty());
      assertThat(standalone.get("/v1/jobs", 0).body()).contains("\"completed\"", "erased_at");
    }
  }

  private StandaloneProcess start(String... more) throws IOException {
    Path tools = settings.resolve("tools.json");
    Files.writeString(tools, "{\"tools\":[{\"name\":\"ask\",\"safety\":\"client\"}]}");
    var arguments =
        new ArrayList<>(
            List.of(
                "--server.port=0",
                "--jobrunr.dashboard.port=" + dashboard,
                "--coatcheck.embedded-postgres.port=" + postgres,
                "--coatcheck.tools-file=" + tools,
                "--logging.level.dev.coatcheck=trace"));
    arguments.addAll(List.of(more));
    return StandaloneProcess.start(directory, arguments.toArray(String[]::new)).ready();
  }

  private static String answered(String canary) {
    return """
    {"model":"simulator/demo","prompt":"%1$s-prompt [[sim: text %1$s-answer]]","params":{"user":"%1$s-user"}}"""
        .formatted(canary);
  }

  /** The provider quotes the order that it does not understand. */
  private static String refused(String canary) {
    return "{\"model\":\"simulator/demo\",\"prompt\":\"[[sim: %s-order]]\"}".formatted(canary);
  }

  private static String ended(StandaloneProcess standalone, String key, String body)
      throws Exception {
    var answer = standalone.submit(key, body, 30);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(answer.body()).path("id").asString();
  }

  /** Whose model hands arguments to a tool, and whose caller brings its result. */
  private static String endedWithTool(StandaloneProcess standalone, String canary)
      throws Exception {
    var asked =
        JsonMapper.shared()
            .readTree(
                standalone
                    .submit(
                        "four",
                        """
                        {"model":"simulator/demo","tools":["ask"],
                         "prompt":"[[sim: tool ask {\\"q\\":\\"%1$s-argument\\"}, text %1$s-answer]]"}"""
                            .formatted(canary),
                        30)
                    .body());
    String id = asked.path("id").asString();
    String call = asked.at("/tool_calls/0/id").asString();
    var resumed =
        standalone.post(
            "/v1/jobs/" + id + "/tool_calls/" + call + "/output",
            "{\"output\":\"" + canary + "-result\"}");
    assertThat(resumed.statusCode()).as(resumed.body()).isEqualTo(200);
    assertThat(standalone.get("/v1/jobs/" + id, 30).body()).contains("\"completed\"");
    return id;
  }

  /** Where the word is, in letters or as hexadecimal digits. */
  private List<String> found(String word, StandaloneProcess standalone) throws Exception {
    var places = new ArrayList<String>();
    String hex = HexFormat.of().formatHex(word.getBytes(UTF_8));
    try (Connection connection =
        DriverManager.getConnection(
            "jdbc:postgresql://127.0.0.1:" + postgres + "/coatcheck", "postgres", "")) {
      for (String table :
          column(connection, "select tablename from pg_tables where schemaname = 'public'")) {
        for (String row : column(connection, "select one::text from " + table + " one")) {
          if (row.contains(word) || row.contains(hex)) {
            places.add(table);
          }
        }
      }
    }
    if (standalone.log().contains(word)) {
      places.add("log");
    }
    for (String page : pages()) {
      if (page.contains(word)) {
        places.add("dashboard");
      }
    }
    return places;
  }

  private static List<String> column(Connection connection, String sql) throws SQLException {
    var values = new ArrayList<String>();
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    }
    return values;
  }

  /** What the dashboard says of the jobs in each state, and of each of them. */
  private List<String> pages() throws Exception {
    var pages = new ArrayList<String>();
    try (var client = HttpClient.newHttpClient()) {
      for (String state : STATES) {
        String list =
            get(client, "/api/jobs?state=" + state + "&offset=0&limit=100&order=updatedAt:DESC");
        pages.add(list);
        for (var job : JsonMapper.shared().readTree(list).path("items")) {
          pages.add(get(client, "/api/jobs/" + job.path("id").asString()));
        }
      }
    }
    assertThat(pages).as("the dashboard shows jobs").hasSizeGreaterThan(STATES.size());
    return pages;
  }

  private String get(HttpClient client, String path) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + dashboard + path)).build();
    var answer = client.send(request, BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(path).isEqualTo(200);
    return answer.body();
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
