package dev.coatcheck.worker.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.simulator.Completion;
import dev.coatcheck.simulator.Match;
import dev.coatcheck.simulator.Reply;
import dev.coatcheck.simulator.ToolCall;
import dev.coatcheck.worker.lease.HealJobs;
import dev.coatcheck.worker.run.Rig.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A client that reads a job's events, connects anew at any time, and follows the rule: on {@code
 * attempt.restarted} it drops everything from {@code discard_from} on.
 */
@Timeout(120)
class FollowedTextTest {
  private static final int JOBS = 40;
  private static final List<String> FAULTS =
      List.of("cut-after=%d", "reset-after=%d", "error-after=%d", "end=no pings=yes");

  /** A job, and the client that follows it. */
  private static final class Client {
    private final JobId job;
    private final Random random;
    private final Map<Integer, String> texts = new TreeMap<>();
    private int last;
    private int restarts;

    Client(JobId job, Random random) {
      this.job = job;
      this.random = random;
    }

    /** Reads on from where it is, as a server that it connects to would send it. */
    void read(Rig rig) {
      rig.engine
          .sql()
          .sql(
              """
              select number, type, data from event
              where job_id = :job and number > :last order by number limit :most
              """)
          .param("job", job.value())
          .param("last", last)
          .param("most", 1 + random.nextInt(5))
          .query(
              (row, index) -> {
                take(row.getInt("number"), row.getString("type"), row.getString("data"));
                return last;
              })
          .list();
    }

    private void take(int number, String type, String data) {
      assertThat(number).isEqualTo(last + 1);
      last = number;
      RawJson json = RawJson.of(data.getBytes(java.nio.charset.StandardCharsets.UTF_8));
      switch (type) {
        case "output.delta" -> texts.put(number, json.member("text").orElseThrow().text());
        case "attempt.restarted" -> {
          int from = Integer.parseInt(json.member("discard_from").orElseThrow().spelling());
          texts.keySet().removeIf(id -> id >= from);
          restarts++;
        }
        default -> {}
      }
    }

    String text() {
      return String.join("", texts.values());
    }
  }

  private static String steps(Random random, String text) {
    var steps = new ArrayList<String>();
    for (int i = random.nextInt(4); i > 0; i--) {
      String fault = FAULTS.get(random.nextInt(FAULTS.size())).formatted(random.nextInt(30));
      steps.add("every=" + random.nextInt(20) + "ms " + fault + " text " + words(random));
    }
    steps.add("every=" + random.nextInt(20) + "ms text " + text);
    return "[[sim: " + String.join(", ", steps) + "]]";
  }

  private static String words(Random random) {
    var words = new StringBuilder("w" + random.nextInt(10));
    for (int i = random.nextInt(25); i > 0; i--) {
      words.append(' ').append(random.nextInt(100_000)).append("ü😀");
    }
    return words.toString();
  }

  @Test
  void a_client_that_follows_the_rule_ends_with_exactly_the_output() {
    long seed = Long.getLong("seed", 20_261_130L);
    var random = new Random(seed);
    try (var rig =
        new Rig(Map.of("coatcheck.egress.idle-timeout", "5s", "coatcheck.retry.initial", "5ms"))) {
      List<Client> clients = new ArrayList<>();
      for (int i = 0; i < JOBS; i++) {
        String prompt = i + " " + steps(random, "job " + i + " " + words(random));
        JobId job =
            rig.submitBody(
                "{\"stream\":true,\"prompt\":\"" + prompt + "\"}",
                Terms.usual().attempts(10).provider(i % 2 == 0 ? "openai" : "anthropic"));
        clients.add(new Client(job, new Random(seed + i)));
      }
      while (clients.stream().anyMatch(client -> rig.job(client.job).get("ended_at") == null)) {
        clients.get(random.nextInt(JOBS)).read(rig);
        if (random.nextInt(20) == 0) {
          loseARun(rig, clients.get(random.nextInt(JOBS)).job);
        }
        LockSupport.parkNanos(Duration.ofMillis(1).toNanos());
      }
      clients.forEach(client -> assertFollowed(rig, client, seed));
      assertThat(clients.stream().mapToInt(client -> client.restarts).sum()).isPositive();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"openai", "anthropic"})
  void what_a_turn_said_before_it_asked_for_tools_is_none_of_the_output(String provider) {
    String tools =
        "{\"tools\":[{\"name\":\"look\",\"safety\":\"read-only\",\"url\":\"${TOOL_URL}/look\"}]}";
    try (var rig = Rig.withTools(tools, Probe.inert())) {
      rig.simulator.always(Match.path("/tools/look"), Reply.json(200, "{\"found\":true}"));
      rig.simulator.queue(
          Match.prompt("two turns"),
          new Completion("Let me look.", List.of(new ToolCall("look", "{\"a\":1}")), null),
          Completion.saying("It is there."));
      JobId job =
          rig.submitBody(
              "{\"stream\":true,\"prompt\":\"two turns\",\"tools\":[\"look\"]}",
              Terms.usual().provider(provider));
      var client = new Client(job, new Random(1));

      assertThat(rig.ended(job)).containsEntry("status", "completed");
      while (client.last < (Integer) Objects.requireNonNull(rig.job(job).get("events"))) {
        client.read(rig);
      }

      assertThat(client.text()).isEqualTo("It is there.");
      assertThat(rig.simulator.ledger().asked("two turns")).hasSize(2);
      assertThat(rig.simulator.ledger().asked("two turns").getLast().request().body().text())
          .contains("found", provider.equals("openai") ? "tool_call_id" : "tool_use_id");
    }
  }

  /** As if its worker had died: the lease runs out, and the job is taken over. */
  private static void loseARun(Rig rig, JobId job) {
    rig.engine
        .sql()
        .sql(
            """
            update job set lease_expires_at = now() - interval '1 second', deaths = 0
            where id = :id and status = 'in_progress'
            """)
        .param("id", job.value())
        .update();
    rig.context.getBean(HealJobs.Healers.class).reaper().reap();
  }

  private static void assertFollowed(Rig rig, Client client, long seed) {
    int before = -1;
    while (client.last != before) {
      before = client.last;
      client.read(rig);
    }
    assertThat(rig.job(client.job))
        .as("seed %d", seed)
        .containsEntry("status", "completed")
        .containsEntry("events", client.last);
    assertThat(client.text())
        .as("seed %d, job %s", seed, client.job)
        .isEqualTo(output(rig, client));
  }

  private static @Nullable String output(Rig rig, Client client) {
    RawJson message =
        RawJson.of(
            Objects.requireNonNull(
                rig.engine
                    .sql()
                    .sql("select message from turn where job_id = :id")
                    .param("id", client.job.value())
                    .query((row, index) -> row.getBytes(1))
                    .single()));
    RawJson content = message.member("content").orElseThrow();
    return content.kind() == RawJson.Kind.STRING
        ? content.text()
        : content.elements().getFirst().member("text").orElseThrow().text();
  }
}
