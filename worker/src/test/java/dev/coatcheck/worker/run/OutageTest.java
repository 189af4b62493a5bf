package dev.coatcheck.worker.run;

import static dev.coatcheck.simulator.Match.any;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.postgres.EmbeddedPostgres;
import dev.coatcheck.postgres.PostgresSettings;
import dev.coatcheck.simulator.Completion;
import dev.coatcheck.simulator.Ending;
import dev.coatcheck.worker.run.Rig.Place;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The database goes away while paid calls are open. */
class OutageTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Duration CALL = Duration.ofSeconds(4);
  private static final Duration OUTAGE = Duration.ofSeconds(10);
  private static final int CALLS = 20;

  @TempDir private Path directory;

  @Test
  void calls_in_flight_outlive_an_outage_and_are_paid_for_once() {
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.start(PostgresSettings.disposable(directory.resolve("pg")))) {
      var place = new Place(postgres.jdbcUrl(), EmbeddedPostgres.USERNAME, "", () -> {});
      try (Rig rig = new Rig(place, Map.of("coatcheck.worker.lease", "6s"))) {
        rig.simulator.always(any(), Completion.aboutThePrompt().after(CALL));
        List<JobId> jobs = new ArrayList<>();
        for (int i = 0; i < CALLS; i++) {
          jobs.add(rig.submit("in flight " + i));
        }
        await().atMost(SOON).until(() -> rig.simulator.ledger().received() == CALLS);
        postgres.stop();
        rig.simulator.ledger().await(entry -> entry.ending() != Ending.OPEN, CALLS, SOON);
        awaitOutage(rig);
        postgres.start();
        await()
            .atMost(SOON)
            .ignoreExceptions()
            .until(() -> rig.count("status = 'completed'") == CALLS);
        assertThat(rig.simulator.ledger().received()).isEqualTo(CALLS);
        jobs.forEach(job -> assertThat(rig.attempts(job)).hasSize(1));
        JobId later = rig.submit("after the outage");
        assertThat(rig.ended(later)).containsEntry("status", "completed");
      }
    }
  }

  /** Longer than a lease, so that every lease has run out, and than JobRunr's server lives. */
  private static void awaitOutage(Rig rig) {
    ListenHub hub = rig.context.getBean(ListenHub.class);
    long end = System.nanoTime() + OUTAGE.toNanos();
    await().atMost(SOON).until(() -> System.nanoTime() > end && !hub.isConnected());
  }
}
