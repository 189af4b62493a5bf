package dev.coatcheck.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Slow is not dead: 500 ms and 20 kB/s each way to the database cost nobody a lease of 30 s. */
@Tag("nightly")
@EnabledIfSystemProperty(named = "chaos.size", matches = "nightly")
class SlowDatabaseTest {
  private static final int JOBS = 12;
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final Weather.Slow SLOW = new Weather.Slow(Duration.ofMillis(500), 20_000);

  @TempDir Path directory;

  @Test
  void no_lease_is_lost_by_slowness_alone() throws Exception {
    try (var cluster = Cluster.start(directory, Size.BASELINE, LEASE);
        var client = new Client()) {
      cluster.workers().forEach(worker -> worker.database().set(SLOW));
      for (int n = 0; n < JOBS; n++) {
        var body = "{\"prompt\": \"[[sim: ok delay=%ds]]\"}".formatted(LEASE.toSeconds() + 1 + n);
        assertThat(client.submit(cluster.apps().getFirst(), "slow-" + n, body).status())
            .isEqualTo(202);
      }
      Cluster.await("all ended", LONG, () -> ends(cluster).size() == JOBS);
      assertThat(ends(cluster)).containsOnly("completed after 1 attempts and 1 runs");
      assertThat(cluster.simulator().counts().received()).isEqualTo(JOBS);
    }
  }

  /** Each lease is an epoch, and each that was reaped is one more. */
  private static List<String> ends(Cluster cluster) {
    return cluster
        .sql()
        .sql(
            """
            select status || ' after ' || (select count(*) from attempt where job_id = job.id)
              || ' attempts and ' || epoch || ' runs'
            from job where ended_at is not null
            """)
        .query((row, number) -> row.getString(1))
        .list();
  }
}
