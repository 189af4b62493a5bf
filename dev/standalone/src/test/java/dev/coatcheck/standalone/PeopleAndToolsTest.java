package dev.coatcheck.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coatcheck.app.AppDefaults;
import dev.coatcheck.db.CommonDefaults;
import dev.coatcheck.db.setting.SettingFault;
import dev.coatcheck.fixture.TestDatabase;
import dev.coatcheck.simulator.Match;
import dev.coatcheck.simulator.Reply;
import dev.coatcheck.simulator.Simulator;
import dev.coatcheck.worker.WorkerDefaults;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A job with tools from its submit to its end, over HTTP alone. */
class PeopleAndToolsTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private final JsonMapper json = JsonMapper.builder().build();
  private final Simulator world = Simulator.start();
  private final TestDatabase database = TestDatabase.create();

  @BeforeEach
  void declare() throws IOException {
    Files.writeString(
        directory.resolve("tools.yaml"),
        """
        tools:
          - { name: refund, safety: keyed, url: "%s" }
          - { name: mail, safety: at-most-once, url: "%s" }
          - { name: ask, safety: client }
        """
            .formatted(world.url("/tools/refund"), world.url("/tools/mail")));
  }

  @AfterEach
  void end() {
    world.close();
    database.close();
  }

  private ConfigurableApplicationContext start(String toolsFile) {
    return new SpringApplicationBuilder(StandaloneApplication.class)
        .properties(CommonDefaults.properties())
        .properties(AppDefaults.web())
        .properties(WorkerDefaults.engine())
        .run(
            "--spring.datasource.url=" + database.jdbcUrl(),
            "--spring.datasource.username=" + database.username(),
            "--spring.datasource.password=" + database.password(),
            "--coatcheck.standalone=true",
            "--coatcheck.providers.openai.base-url=" + world.baseUrl(),
            "--coatcheck.tools-file=" + directory.resolve(toolsFile),
            "--jobrunr.dashboard.enabled=false",
            "--server.port=0",
            "--server.address=127.0.0.1");
  }

  @Test
  void people_approve_answer_and_resolve_and_the_job_goes_on_within_a_second() throws Exception {
    world.always(Match.path("/tools/refund"), Reply.json(200, "{\"ok\":true}"));
    world.always(Match.path("/tools/mail"), Reply.json(500, "{}"));
    try (var context = start("tools.yaml")) {
      URI jobs =
          URI.create(
              "http://127.0.0.1:"
                  + context.getEnvironment().getRequiredProperty("local.server.port")
                  + "/v1/jobs");
      JsonNode job =
          send(
              jobs,
              """
              {"model":"openai/m","tools":[{"name":"refund","approval":"required"},"mail","ask"],
               "prompt":"[[sim: tool refund {}, tool mail {}, tool ask {}, text all done]]"}
              """);
      job = waits(jobs, job, "awaiting_approval");
      assertThat(world.ledger().entries(e -> e.request().path().startsWith("/tools/"))).isEmpty();
      job = decided(jobs, job, "approve", "{}", "tool_in_doubt");
      job =
          decided(
              jobs, job, "resolve", "{\"outcome\":\"done\",\"result\":1}", "awaiting_tool_output");
      long start = System.nanoTime();
      send(call(jobs, job, "output"), "{\"output\":\"blue\"}");
      job = get(jobs, job);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
      assertThat(job.path("status").asString()).isEqualTo("completed");
      assertThat(job.path("output_text").asString()).isEqualTo("all done");
      assertThat(job.at("/tool_calls/0/state").asString()).isEqualTo("done");
      assertThat(job.at("/tool_calls/0/result/ok").booleanValue()).isTrue();
      assertThat(job.at("/tool_calls/2/result").asString()).isEqualTo("blue");
      assertThat(job.at("/usage/output").asInt()).isGreaterThan(1);
      assertThat(job.at("/attempts")).hasSize(4);
    }
  }

  @Test
  void a_tools_file_with_a_fault_stops_the_start_and_names_the_tool() throws IOException {
    Files.writeString(
        directory.resolve("broken.json"),
        "{\"tools\":[{\"name\":\"refund\",\"safety\":\"keyed\",\"url\":\"http://x/\",\"headers\":{\"A\":\"${NO_SUCH_VARIABLE}\"}}]}");
    assertThatThrownBy(() -> start("broken.json").close())
        .rootCause()
        .isInstanceOf(SettingFault.class)
        .hasMessageContaining("tool \"refund\"")
        .hasMessageContaining("NO_SUCH_VARIABLE");
  }

  private JsonNode waits(URI jobs, JsonNode job, String reason) throws Exception {
    JsonNode now = get(jobs, job);
    assertThat(now.path("status").asString()).as(now.toString()).isEqualTo("requires_action");
    assertThat(now.at("/status_reason/code").asString()).isEqualTo(reason);
    return now;
  }

  private JsonNode decided(URI jobs, JsonNode job, String action, String body, String next)
      throws Exception {
    send(call(jobs, job, action), body);
    return waits(jobs, job, next);
  }

  /** The newest call of the job. */
  private static URI call(URI jobs, JsonNode job, String action) {
    JsonNode calls = job.path("tool_calls");
    return URI.create(
        "%s/%s/tool_calls/%s/%s"
            .formatted(
                jobs,
                job.path("id").asString(),
                calls.path(calls.size() - 1).path("id").asString(),
                action));
  }

  private JsonNode send(URI uri, String body) throws Exception {
    var request =
        HttpRequest.newBuilder(uri)
            .header("Idempotency-Key", "order-1")
            .header("Content-Type", "application/json")
            .timeout(SOON)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    var response = http.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isIn(200, 202);
    return json.readTree(response.body());
  }

  private JsonNode get(URI jobs, JsonNode job) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(jobs + "/" + job.path("id").asString()))
            .header("Prefer", "wait=20")
            .timeout(SOON)
            .build();
    return json.readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
  }
}
