package dev.coatcheck.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.postgres.EmbeddedPostgres;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Starts the real thing, and treats it as laptops do. */
class StandaloneApplicationTest {
  private static final String[] FREE_PORTS = {"--server.port=0", "--jobrunr.dashboard.port=0"};
  private static final String HELLO = prompt("Say hello");

  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration CALLED = Duration.ofSeconds(3);

  /** The default data directory, relative to where the command is given. */
  private static final String DATA = ".coatcheck";

  @TempDir Path directory;

  @Test
  void a_kill_loses_no_answer_and_no_job_and_ctrl_c_ends_it_quietly() throws Exception {
    String answered;
    String inFlight;
    try (var standalone = StandaloneProcess.start(directory, FREE_PORTS).ready()) {
      var answer = standalone.submit("one", HELLO, 20);
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      assertThat(json(answer.body()).path("output_text").asString()).isNotEmpty();
      answered = id(answer);
      inFlight = id(standalone.submit("two", prompt("[[sim: ok delay=3s]]"), 0));
      await().atMost(CALLED).until(() -> attempt(standalone, inFlight, 0).equals("sending"));
      standalone.kill();
    }
    try (var again = StandaloneProcess.start(directory, FREE_PORTS).ready()) {
      var replay = again.submit("one", HELLO, 0);
      assertThat(id(replay)).isEqualTo(answered);
      assertThat(replay.headers().firstValue("Idempotent-Replayed")).contains("true");
      var job = json(again.get("/v1/jobs/" + inFlight, 10).body());
      assertThat(job.path("status").asString()).isEqualTo("completed");
      assertThat(attempt(again, inFlight, 0)).isEqualTo("indeterminate");
      assertThat(attempt(again, inFlight, 1)).isEqualTo("answered");
      endsQuietly(again);
    }
    assertThat(EmbeddedPostgres.findRunning(directory.resolve(DATA))).isEmpty();
  }

  @Test
  void ctrl_c_ends_it_quietly_though_a_provider_hangs() throws Exception {
    try (var standalone = StandaloneProcess.start(directory, FREE_PORTS).ready()) {
      var hanging = id(standalone.submit("one", prompt("[[sim: hang]]"), 0));
      await().atMost(CALLED).until(() -> attempt(standalone, hanging, 0).equals("sending"));
      endsQuietly(standalone);
    }
  }

  @Test
  void beside_a_running_process_keys_are_made_but_no_second_one_runs() throws Exception {
    String key;
    try (var standalone = StandaloneProcess.start(directory, FREE_PORTS).ready();
        var second = StandaloneProcess.start(directory, FREE_PORTS);
        var keys = StandaloneProcess.start(directory, "keys", "create", "--tenant", "acme")) {
      assertThat(second.awaitEnd(START)).isEqualTo(1);
      assertThat(second.log())
          .contains("%s is in use by another running Coatcheck.".formatted(DATA))
          .doesNotContain("\tat ");
      assertThat(keys.awaitEnd(START)).as(keys.log()).isZero();
      key = keys.log().lines().findFirst().orElse("");
      assertThat(key).matches("ck_[A-Za-z0-9_-]{43}");
      endsQuietly(standalone);
    }
    try (var again = StandaloneProcess.start(directory, FREE_PORTS).ready()) {
      assertThat(again.get("/v1/jobs", 0).statusCode()).isEqualTo(401);
      assertThat(again.withKey(key).get("/v1/jobs", 0).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void a_misused_command_says_how_it_is_used() throws Exception {
    try (var keys = StandaloneProcess.start(directory, "keys", "create", "--tenant=no spaces")) {
      assertThat(keys.awaitEnd(START)).isEqualTo(2);
      assertThat(keys.log()).startsWith("usage: keys create --tenant NAME").hasLineCount(1);
    }
  }

  private static void endsQuietly(StandaloneProcess standalone) throws Exception {
    standalone.interrupt();
    standalone.awaitEnd(Duration.ofSeconds(10));
    assertThat(standalone.log()).doesNotContain("Exception", "\tat ", " ERROR ");
  }

  private static String prompt(String text) {
    return "{\"model\":\"simulator/demo\",\"prompt\":\"%s\"}".formatted(text);
  }

  private static String id(HttpResponse<String> response) {
    return json(response.body()).path("id").asString();
  }

  private static String attempt(StandaloneProcess standalone, String id, int index)
      throws Exception {
    var attempts = json(standalone.get("/v1/jobs/" + id, 0).body()).path("attempts");
    return attempts.path(index).path("state").asString("");
  }

  private static JsonNode json(String text) {
    return JsonMapper.shared().readTree(text);
  }
}
