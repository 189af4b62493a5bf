package dev.coatcheck.worker.run;

import static dev.coatcheck.simulator.Match.any;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.simulator.Answer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A cancel reaches the call that is open, wherever it is. */
class CancelTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @Test
  void the_sockets_are_closed_within_a_second_on_whichever_worker_has_them() {
    try (Rig one = Rig.usual();
        Rig other = new Rig(one.place.kept(), Map.of())) {
      one.simulator.always(any(), Answer.hang());
      other.simulator.always(any(), Answer.hang());
      List<JobId> jobs = Stream.generate(() -> one.submit("long")).limit(6).toList();
      await().atMost(SOON).until(() -> open(one) + open(other) == jobs.size());
      jobs.forEach(one::cancel);

      await().atMost(Duration.ofSeconds(1)).until(() -> open(one) + open(other) == 0);
      jobs.forEach(job -> isCancelled(one, job));
    }
  }

  @Test
  void a_lost_notification_costs_a_third_of_a_lease() {
    try (Rig rig = new Rig(Map.of("coatcheck.worker.lease", "6s"))) {
      rig.simulator.always(any(), Answer.hang());
      JobId job = rig.submit("unheard");
      await().atMost(SOON).until(() -> open(rig) == 1);
      rig.cancelUnheard(job);

      await().atMost(Duration.ofSeconds(4)).until(() -> open(rig) == 0);
      isCancelled(rig, job);
    }
  }

  private static int open(Rig rig) {
    return rig.simulator.ledger().counts().open();
  }

  private static void isCancelled(Rig rig, JobId job) {
    assertThat(rig.status(job)).isEqualTo("cancelled");
    assertThat(rig.attempts(job))
        .singleElement()
        .satisfies(
            attempt ->
                assertThat(attempt)
                    .containsEntry("state", "indeterminate")
                    .containsEntry("billed", "unknown"));
    await().atMost(SOON).until(() -> rig.slots().permits() == rig.slots().capacity());
  }
}
