package dev.coatcheck.worker.run;

import static dev.coatcheck.simulator.Match.any;
import static dev.coatcheck.simulator.Match.prompt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.dispatch.Dispatch;
import dev.coatcheck.db.dispatch.DispatchStorage;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.simulator.Answer;
import dev.coatcheck.simulator.Completion;
import dev.coatcheck.simulator.OpenAiErrors;
import dev.coatcheck.worker.run.Rig.Terms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Nothing is held while a model is waited for. */
class HoldNothingTest {
  private static final Duration SOON = Duration.ofSeconds(40);

  @Test
  void fifteen_fibers_drained_a_pool_of_ten_but_fifty_jobs_do_not_drain_a_pool_of_two() {
    try (Rig rig = new Rig(Map.of("spring.datasource.hikari.maximum-pool-size", "2"))) {
      rig.ended(rig.submit("warm the worker up"));
      rig.simulator.always(any(), Completion.aboutThePrompt().after(Duration.ofSeconds(5)));
      long start = System.nanoTime();
      for (int i = 0; i < 50; i++) {
        rig.submit("job " + i);
      }
      await().atMost(SOON).until(() -> rig.count("status = 'completed'") == 51);
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
      rig.probe.assertNoneHeldDuringCalls();
      assertThat(rig.probe.calls()).isEqualTo(51);
    }
  }

  @Test
  void headers_may_come_late_however_short_the_idle_limit() {
    try (Rig rig = new Rig(Map.of("coatcheck.egress.idle-timeout", "200ms"))) {
      rig.simulator.always(any(), Completion.aboutThePrompt().after(Duration.ofSeconds(1)));
      JobId job = rig.submit("patience");
      assertThat(rig.ended(job)).containsEntry("status", "completed");
      assertThat(rig.attempts(job))
          .singleElement()
          .satisfies(attempt -> assertThat(attempt).containsEntry("state", "answered"));
    }
  }

  @Test
  void two_thousand_parked_jobs_use_no_thread_no_slot_and_no_connection() {
    try (Rig rig = Rig.usual()) {
      rig.simulator.always(any(), OpenAiErrors.rateLimited().with("retry-after", "300"));
      for (int i = 0; i < 2_000; i++) {
        rig.submit("park " + i);
      }
      await()
          .atMost(Duration.ofSeconds(90))
          .until(() -> rig.count("status = 'queued' and reason_code = 'rate_limited'") == 2_000);
      await().atMost(SOON).until(() -> rig.slots().permits() == rig.slots().capacity());
      assertThat(rig.count("lease_expires_at is not null")).isZero();
      await().atMost(SOON).until(() -> runThreads() == 0);
      rig.probe.assertNoneHeldDuringCalls();
    }
  }

  private static long runThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("run-"))
        .count();
  }

  @Test
  void a_dashboard_user_who_requeues_a_parked_dispatch_changes_nothing_before_its_time() {
    try (Rig rig = Rig.usual()) {
      rig.simulator.queue(any(), OpenAiErrors.rateLimited().with("retry-after", "4"));
      JobId job = rig.submit("requeued");
      await().atMost(SOON).until(() -> rig.job(job).get("reason_code") != null);
      requeue(rig, job);
      await().atMost(SOON).until(() -> Objects.equals(rig.job(job).get("dispatch_no"), 3));
      assertThat(rig.simulator.ledger().asked("requeued")).hasSize(1);
      assertThat(rig.ended(job)).containsEntry("status", "completed");
      var asked = rig.simulator.ledger().asked("requeued");
      assertThat(
              Duration.between(
                  asked.get(0).request().arrivedAt(), asked.get(1).request().arrivedAt()))
          .isGreaterThanOrEqualTo(Duration.ofSeconds(4));
    }
  }

  private static void requeue(Rig rig, JobId job) {
    var storage = rig.context.getBean(DispatchStorage.class);
    var dispatch = storage.getJobById(Dispatch.idOf(job, 2));
    dispatch.enqueue();
    storage.save(dispatch);
  }

  @Test
  void a_providers_gate_is_never_passed_by_more_than_it_allows() {
    try (Rig rig = new Rig(Map.of("coatcheck.providers.openai.max-concurrency", "3"))) {
      rig.simulator.always(any(), Completion.aboutThePrompt().after(Duration.ofMillis(300)));
      for (int i = 0; i < 30; i++) {
        rig.submit("gate " + i);
      }
      await().atMost(SOON).until(() -> rig.count("status = 'completed'") == 30);
      assertThat(rig.simulator.ledger().counts().peakOpen()).isLessThanOrEqualTo(3);
      assertThat(rig.simulator.ledger().count(entry -> true)).isEqualTo(30);
    }
  }

  @Test
  void a_stop_records_what_ends_in_time_and_releases_the_rest_to_be_asked_once_more() {
    List<JobId> slow = new ArrayList<>();
    try (Rig rig = new Rig(Map.of("coatcheck.worker.stop-grace", "1s"))) {
      rig.simulator.always(prompt("hangs"), Answer.hang());
      rig.simulator.always(prompt("soon"), Completion.saying("done").after(Duration.ofMillis(600)));
      for (int i = 0; i < 5; i++) {
        slow.add(rig.submit("hangs " + i));
      }
      JobId soon = rig.submit("soon");
      await().atMost(SOON).until(() -> rig.simulator.ledger().count(entry -> true) == 6);
      rig.context.close();
      Rig.Look look = rig.look();
      assertThat(look.job(soon)).containsEntry("status", "completed");
      for (JobId job : slow) {
        assertThat(look.job(job)).containsEntry("status", "queued").containsEntry("deaths", 0);
        assertThat(look.attempts(job))
            .singleElement()
            .satisfies(
                attempt ->
                    assertThat(attempt)
                        .containsEntry("state", "indeterminate")
                        .containsEntry("counted", false));
      }
      askedAgainAfterTheRestart(rig, slow);
    }
  }

  /** What was recorded before the stop is not asked again; what was cut is, once. */
  private static void askedAgainAfterTheRestart(Rig stopped, List<JobId> cut) {
    try (Rig restarted = new Rig(stopped.place.kept(), Map.of())) {
      cut.forEach(job -> assertThat(restarted.ended(job)).containsEntry("status", "completed"));
      cut.forEach(job -> assertThat(restarted.attempts(job)).hasSize(2));
      assertThat(restarted.simulator.ledger().received()).isEqualTo(cut.size());
    }
  }

  @Test
  void a_cancelled_call_is_aborted_within_a_second() {
    try (Rig rig = Rig.usual()) {
      rig.simulator.always(any(), Answer.hang());
      JobId job = rig.submit("cancelled", Terms.usual());
      await().atMost(SOON).until(() -> rig.simulator.ledger().count(entry -> true) == 1);
      rig.cancel(job);
      await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> rig.slots().permits() == rig.slots().capacity());
      assertThat(rig.simulator.ledger().counts().open()).isZero();
      assertThat(rig.status(job)).isEqualTo("cancelled");
    }
  }
}
