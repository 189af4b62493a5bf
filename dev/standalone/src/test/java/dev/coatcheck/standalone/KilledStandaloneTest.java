package dev.coatcheck.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.simulator.Simulator;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The one process is killed at moments that nobody chose, and started on the same directory. */
class KilledStandaloneTest {
  private static final int KILLS = Integer.getInteger("standalone.kills", 3);
  private static final int JOBS_A_LIFE = 8;
  private static final int LONGEST_CALL_MS = 2_500;
  private static final int LONGEST_LIFE_MS = 3_000;
  private static final int LONGEST_START_MS = 4_000;

  /** A tool between two turns, so that a job may be killed with a turn recorded. */
  private static final String TOOLS =
      """
      {"tools": [{"name": "rest", "safety": "transactional", "sql": "select 1 as one from pg_sleep(0.5)"}]}
      """;

  private static final Duration MOVING_AGAIN = Duration.ofSeconds(20);

  @TempDir Path directory;

  private final Random random = new Random(Long.getLong("standalone.seed", 4));
  private final List<String> accepted = new ArrayList<>();

  @Test
  void no_accepted_job_is_lost_and_no_recorded_turn_is_asked_again() throws Exception {
    Files.writeString(directory.resolve("tools.json"), TOOLS);
    try (var provider = Simulator.start()) {
      for (int life = 1; life <= KILLS; life++) {
        try (var standalone = start(provider)) {
          movesAgain(standalone);
          for (int n = 0; n < JOBS_A_LIFE; n++) {
            submit(standalone, "life-%d-job-%d".formatted(life, n));
          }
          TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_LIFE_MS));
          standalone.kill();
        }
        killWhileItStarts(provider);
      }
      try (var last = start(provider)) {
        movesAgain(last);
        for (var id : accepted) {
          await().atMost(Duration.ofSeconds(60)).until(() -> isCompleted(job(last, id)));
        }
        accepted.forEach(id -> agrees(provider, job(last, id)));
      }
    }
  }

  private void killWhileItStarts(Simulator provider) throws InterruptedException {
    try (var starting = launch(provider)) {
      TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_START_MS));
      starting.kill();
    }
  }

  private StandaloneProcess start(Simulator provider) {
    return launch(provider).ready();
  }

  private StandaloneProcess launch(Simulator provider) {
    return StandaloneProcess.start(
        directory,
        "--server.port=0",
        "--jobrunr.dashboard.port=0",
        "--coatcheck.tools-file=tools.json",
        "--coatcheck.providers.openai.api-key=none",
        "--coatcheck.providers.openai.base-url=" + provider.baseUrl());
  }

  /** Every second one has two turns. */
  private void submit(StandaloneProcess standalone, String name) throws Exception {
    int delay = random.nextInt(LONGEST_CALL_MS);
    var body =
        accepted.size() % 2 == 0
            ? "{\"model\":\"openai/m\",\"prompt\":\"%s. [[sim: ok delay=%dms]]\"}"
                .formatted(name, delay)
            : "{\"model\":\"openai/m\",\"prompt\":\"%s. [[sim: tool rest {}, ok delay=%dms]]\",\"tools\":[\"rest\"]}"
                .formatted(name, delay);
    var response = standalone.submit(name, body, 0);
    assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
    accepted.add(json(response).path("id").asString());
  }

  /** Something that was open when the process was killed ends soon. */
  private void movesAgain(StandaloneProcess standalone) {
    var open = accepted.stream().filter(id -> !isCompleted(job(standalone, id))).toList();
    if (!open.isEmpty()) {
      await()
          .atMost(MOVING_AGAIN)
          .until(() -> open.stream().anyMatch(id -> isCompleted(job(standalone, id))));
    }
  }

  /**
   * Each call that the provider got is an attempt, and of each turn all but the recorded one show
   * as lost.
   */
  private static void agrees(Simulator provider, JsonNode job) {
    var name = job.path("idempotency_key").asString();
    var turns = new TreeMap<Integer, List<String>>();
    job.path("attempts")
        .forEach(
            attempt ->
                turns
                    .computeIfAbsent(attempt.path("turn").asInt(), turn -> new ArrayList<>())
                    .add(attempt.path("state").asString()));
    assertThat(turns.keySet()).as(name).hasSize(job.path("tool_calls").size() + 1);
    turns
        .values()
        .forEach(
            states -> {
              assertThat(states).as(name).endsWith("answered");
              assertThat(states.subList(0, states.size() - 1))
                  .as(name)
                  .allMatch("indeterminate"::equals);
            });
    assertThat(provider.ledger().asked(name + "."))
        .as(name)
        .hasSizeBetween(turns.size(), job.path("attempts").size());
  }

  private static boolean isCompleted(JsonNode job) {
    return job.path("status").asString().equals("completed");
  }

  private static JsonNode job(StandaloneProcess standalone, String id) {
    try {
      return json(standalone.get("/v1/jobs/" + id, 0));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static JsonNode json(HttpResponse<String> response) {
    return JsonMapper.shared().readTree(response.body());
  }
}
