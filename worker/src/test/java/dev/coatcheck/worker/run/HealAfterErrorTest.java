package dev.coatcheck.worker.run;

import static dev.coatcheck.simulator.Match.prompt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.simulator.Answer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The reaper meets an error of the JVM. */
class HealAfterErrorTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @Test
  void an_error_ended_the_reaping_of_lost_leases_for_good() {
    var thrown = new AtomicBoolean();
    Probe broken =
        point -> {
          if (point == Checkpoint.K18_REAPED && thrown.compareAndSet(false, true)) {
            throw new StackOverflowError();
          }
        };
    try (Rig rig = Rig.probed(Map.of("coatcheck.worker.lease", "3s"), broken)) {
      rig.simulator.queue(prompt("lost"), Answer.hang());
      JobId job = rig.submit("lost");
      await().atMost(SOON).until(() -> rig.simulator.ledger().received() == 1);
      // As if another worker had taken it and died.
      rig.engine
          .sql()
          .sql("update job set epoch = epoch + 1, lease_expires_at = now() where id = :id")
          .param("id", job.value())
          .update();

      assertThat(rig.ended(job)).containsEntry("status", "completed").containsEntry("deaths", 0);
      assertThat(thrown).isTrue();
      assertThat(rig.attempts(job)).hasSize(2);
    }
  }
}
