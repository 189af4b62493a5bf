package dev.coatcheck.worker.run;

import static dev.coatcheck.simulator.Match.any;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.simulator.Completion;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.JobSteward;
import org.junit.jupiter.api.Test;

/** JobRunr interrupts handlers when its server stops, or when it takes them for orphans. */
class InterruptTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @Test
  void an_interrupt_of_the_thread_that_waits_for_a_run_ends_no_paid_call() {
    var interrupted = new CountDownLatch(1);
    try (Rig rig = Rig.usual()) {
      rig.simulator.script(
          any(),
          (request, nth) -> {
            awaitOpen(interrupted);
            return Completion.aboutThePrompt();
          });
      JobId job = rig.submit("interrupted");
      await().atMost(SOON).until(() -> rig.simulator.ledger().received() == 1);
      Thread waiting = waiting(rig, job).orElseThrow();
      waiting.interrupt();
      await().atMost(SOON).until(() -> !waiting.isAlive());
      assertThat(rig.status(job)).isEqualTo("in_progress");
      interrupted.countDown();

      assertThat(rig.ended(job))
          .containsEntry("status", "completed")
          .containsEntry("epoch", 1L)
          .containsEntry("deaths", 0);
      assertThat(rig.simulator.ledger().received()).isEqualTo(1);
      assertThat(rig.attempts(job))
          .singleElement()
          .satisfies(attempt -> assertThat(attempt).containsEntry("state", "answered"));
      await().atMost(SOON).until(() -> rig.slots().permits() == rig.slots().capacity());
    }
  }

  private static void awaitOpen(CountDownLatch latch) {
    try {
      assertThat(latch.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The thread of JobRunr's that waits for the job's first run. */
  private static Optional<Thread> waiting(Rig rig, JobId job) {
    JobSteward steward = rig.context.getBean(BackgroundJobServer.class).getJobSteward();
    return steward.getJobsInProgress().stream()
        .filter(dispatch -> dispatch.getId().equals(job.value()))
        .map(steward::getThreadProcessingJob)
        .findFirst();
  }
}
