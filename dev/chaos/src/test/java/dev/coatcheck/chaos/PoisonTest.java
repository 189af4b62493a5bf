package dev.coatcheck.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A job whose worker dies each time it runs. */
@Tag("nightly")
@EnabledIfSystemProperty(named = "chaos.size", matches = "nightly")
class PoisonTest {
  private static final int DEATHS = 5;
  private static final int NEIGHBOURS = 9;
  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir Path directory;

  @Test
  void it_fails_after_five_deaths_and_what_ran_beside_it_is_done() throws Exception {
    try (var cluster = Cluster.start(directory, Size.BASELINE);
        var client = new Client()) {
      submit(cluster, client, "poison", "ok delay=10m");
      for (int death = 1; death <= DEATHS; death++) {
        Cluster.await("it runs alone", LONG, () -> running(cluster).equals(List.of("poison")));
        var holder = holder(cluster);
        for (int n = 0; n < NEIGHBOURS; n++) {
          submit(cluster, client, "neighbour-%d-%d".formatted(death, n), "ok delay=4s");
        }
        Cluster.await("they run", LONG, () -> running(cluster).size() == NEIGHBOURS + 1);
        holder.kill();
        holder.start();
      }
      Cluster.await("all ended", LONG, () -> keys(cluster, "ended_at is null").isEmpty());
      assertThat(keys(cluster, "error_code = 'poisoned'")).containsExactly("poison");
      assertThat(keys(cluster, "status = 'completed'")).hasSize(DEATHS * NEIGHBOURS);
      assertThat(cluster.members()).allMatch(member -> member.endedByItself().isEmpty());
    }
  }

  private static void submit(Cluster cluster, Client client, String key, String directive) {
    var body =
        "{\"prompt\": \"[[sim: %s]]\", \"budget\": {\"attempt_timeout\": \"PT15M\", \"max_attempts\": 10}}"
            .formatted(directive);
    assertThat(client.submit(cluster.apps().getFirst(), key, body).status()).isEqualTo(202);
  }

  private static List<String> running(Cluster cluster) {
    return keys(cluster, "status = 'in_progress'");
  }

  private static Member holder(Cluster cluster) {
    return cluster.workers().stream().filter(worker -> worker.runs() > 0).findFirst().orElseThrow();
  }

  private static List<String> keys(Cluster cluster, String condition) {
    return cluster
        .sql()
        .sql("select idempotency_key from job where " + condition)
        .query((row, number) -> row.getString(1))
        .list();
  }
}
