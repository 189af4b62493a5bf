package dev.coatcheck.worker.run;

import static dev.coatcheck.simulator.Match.any;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.simulator.Completion;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;

/** A probe from outside takes the place of the inert one. */
class ProbeTest {
  @Test
  void a_run_passes_the_named_points_in_their_order() {
    List<Checkpoint> passed = new CopyOnWriteArrayList<>();
    try (Rig rig = Rig.probed(Map.of(), passed::add)) {
      rig.simulator.always(any(), Completion.aboutThePrompt());
      assertThat(rig.ended(rig.submit("probe"))).containsEntry("status", "completed");
      // What others see, they may see before the run comes past the commit.
      await()
          .untilAsserted(
              () ->
                  assertThat(passed.stream().filter(ProbeTest::isOfTheRun).distinct())
                      .startsWith(
                          Checkpoint.K1_ACQUIRED,
                          Checkpoint.K2_HALF_SENT,
                          Checkpoint.K3_SENT,
                          Checkpoint.K4_MID_BODY,
                          Checkpoint.K5_REPLIED,
                          Checkpoint.K12_ENDING,
                          Checkpoint.K6_RECORDED,
                          Checkpoint.K13_ENDED));
    }
  }

  @Test
  void an_end_that_was_written_and_reported_as_failed_is_found_written() {
    var lied = new AtomicBoolean();
    Probe liar =
        point -> {
          if (point == Checkpoint.K13_ENDED && lied.compareAndSet(false, true)) {
            throw new DataAccessResourceFailureException("the answer to the commit was lost");
          }
        };
    try (Rig rig = Rig.probed(Map.of(), liar)) {
      rig.simulator.always(any(), Completion.aboutThePrompt());
      JobId job = rig.submit("lost commit");
      assertThat(rig.ended(job)).containsEntry("status", "completed").containsEntry("epoch", 1L);
      assertThat(rig.attempts(job)).hasSize(1);
      await().untilTrue(lied);
    }
  }

  private static boolean isOfTheRun(Checkpoint point) {
    return point != Checkpoint.K17_RENEWED;
  }
}
