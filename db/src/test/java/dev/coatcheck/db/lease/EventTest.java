package dev.coatcheck.db.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.event.EventType;
import dev.coatcheck.db.event.NewEvent;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.lease.LeaveJob.LastAct;
import dev.coatcheck.db.step.TurnRecord;
import dev.coatcheck.fixture.DatabasePerClass;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Each fact leaves its event in the statement that makes it, under the next number. */
class EventTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private static final LastAct ANSWER =
      new LastAct(LeaseStores.answered(1), new TurnRecord(1, 1, new byte[] {'{', '}'}, "stop"));

  private LeaseStores stores;

  @BeforeEach
  void open() {
    stores = new LeaseStores(DATABASE.get());
    stores.database.sql().sql("delete from job").update();
  }

  @AfterEach
  void close() {
    stores.close();
  }

  private List<String> types(JobId job) {
    return stores.events(job).stream().map(event -> event.split(" ", 3)[1]).toList();
  }

  private void assertGapFree(JobId job) {
    List<Integer> numbers =
        stores.events(job).stream()
            .map(event -> Integer.valueOf(event.substring(0, event.indexOf(' '))))
            .toList();
    assertThat(numbers)
        .containsExactlyElementsOf(IntStream.rangeClosed(1, numbers.size()).boxed().toList());
    assertThat(stores.row(job)).containsEntry("events", numbers.size());
  }

  @Test
  void a_job_that_is_answered_tells_its_whole_course() {
    LeasedJob job = stores.acquired();
    stores.leave.leave(job, LeaseStores.completed(), ANSWER);

    assertThat(stores.events(job.lease().job()))
        .containsExactly(
            "1 job.in_progress {\"status\":\"in_progress\"}",
            "2 attempt.started {\"attempt\":{\"number\":1,\"turn\":1,\"state\":\"sending\"}}",
            "3 attempt.ended {\"attempt\":{\"number\":1,\"turn\":1,\"state\":\"answered\","
                + "\"http_status\":200,\"billed\":\"yes\"}}",
            "4 job.completed {\"status\":\"completed\"}");
    assertGapFree(job.lease().job());
  }

  @Test
  void a_write_done_twice_is_told_once() {
    LeasedJob job = stores.acquired();
    stores.attempts.pause(job.lease(), LeaseStores.refused(1), Duration.ofSeconds(1));
    stores.attempts.pause(job.lease(), LeaseStores.refused(1), Duration.ofSeconds(1));
    stores.attempts.open(job.lease(), 1, 2);
    stores.attempts.open(job.lease(), 1, 2);
    stores.leave.leave(job, LeaseStores.completed(), LastAct.none());
    stores.leave.leave(job, LeaseStores.completed(), LastAct.none());

    assertThat(types(job.lease().job()))
        .containsExactly(
            "job.in_progress",
            "attempt.started",
            "attempt.ended",
            "job.waiting",
            "attempt.started",
            "job.completed");
    assertGapFree(job.lease().job());
  }

  @Test
  void a_pause_in_place_says_why_and_until_when() {
    LeasedJob job = stores.acquired();
    stores.attempts.pause(job.lease(), LeaseStores.refused(1), Duration.ofSeconds(1));

    assertThat(stores.events(job.lease().job()).get(2))
        .isEqualTo(
            "3 attempt.ended {\"attempt\":{\"number\":1,\"turn\":1,\"state\":\"refused\","
                + "\"http_status\":429,\"error_code\":\"rate_limited\",\"retry_after_ms\":3000,"
                + "\"billed\":\"no\"}}");
    assertThat(stores.events(job.lease().job()).get(3))
        .matches(
            "4 job.waiting \\{\"status\":\"in_progress\",\"status_reason\":"
                + "\\{\"code\":\"rate_limited\","
                + "\"until\":\"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z\"}}");
  }

  @Test
  void a_parked_job_says_why_and_until_when() {
    LeasedJob job = stores.acquired();
    stores.leave.leave(
        job,
        new Departure.Parked(Duration.ofSeconds(30), "backoff", "detail is for the job alone"),
        new LastAct(LeaseStores.refused(1), null));

    assertThat(stores.events(job.lease().job()).getLast())
        .matches(
            "4 job.waiting \\{\"status\":\"queued\",\"status_reason\":\\{\"code\":\"backoff\","
                + "\"until\":\"[0-9T:.-]+Z\"}}");
    assertGapFree(job.lease().job());
  }

  @Test
  void a_released_job_is_ready_at_once() {
    LeasedJob job = stores.acquired();
    stores.leave.leave(job, new Departure.Released(), LastAct.none());

    assertThat(stores.events(job.lease().job()).getLast())
        .isEqualTo("3 job.queued {\"status\":\"queued\",\"status_reason\":{\"code\":\"ready\"}}");
  }

  @Test
  void a_gated_job_starts_without_an_attempt() {
    JobId job = stores.queued();
    stores.set(job, "provider = 'gated'");
    stores.acquired(job, 1);

    assertThat(types(job)).containsExactly("job.in_progress");
    assertGapFree(job);
  }

  @Test
  void a_reaped_job_closes_its_attempt_before_it_is_queued_again() {
    JobId job = stores.queued();
    stores.acquired(job, 1);
    stores.set(job, "lease_expires_at = now()");
    stores.reap.reap();

    assertThat(stores.events(job).subList(2, 4))
        .containsExactly(
            "3 attempt.ended {\"attempt\":{\"number\":1,\"turn\":1,\"state\":\"indeterminate\","
                + "\"billed\":\"unknown\"}}",
            "4 job.queued {\"status\":\"queued\",\"status_reason\":{\"code\":\"ready\"}}");
    assertGapFree(job);
  }

  @Test
  void a_poisoned_job_ends_with_its_failure() {
    JobId job = stores.queued();
    stores.acquired(job, 1);
    stores.set(job, "lease_expires_at = now(), deaths = " + (LeaseStores.MAX_DEATHS - 1));
    stores.reap.reap();

    assertThat(stores.events(job).subList(2, 4))
        .satisfiesExactly(
            ended -> assertThat(ended).startsWith("3 attempt.ended"),
            failed ->
                assertThat(failed)
                    .isEqualTo(
                        "4 job.failed {\"status\":\"failed\",\"error\":{\"code\":\"poisoned\"}}"));
    assertGapFree(job);
  }

  @Test
  void several_jobs_that_expire_at_once_end_each_with_its_own_last_event() {
    JobId waiting = stores.queued();
    JobId running = stores.queued();
    stores.acquired(running, 1);
    stores.set(waiting, "deadline_at = now()");
    stores.set(running, "deadline_at = now()");
    stores.expire.expire();

    assertThat(types(waiting)).containsExactly("job.expired");
    assertThat(types(running))
        .containsExactly("job.in_progress", "attempt.started", "attempt.ended", "job.expired");
    assertGapFree(waiting);
    assertGapFree(running);
  }

  @Test
  void a_lost_lease_tells_nothing() {
    LeasedJob job = stores.acquired();
    stores.set(job.lease().job(), "epoch = epoch + 1");
    int before = stores.events(job.lease().job()).size();
    stores.attempts.open(job.lease(), 1, 2);
    stores.attempts.pause(job.lease(), LeaseStores.refused(1), Duration.ofSeconds(1));
    stores.leave.leave(job, LeaseStores.completed(), ANSWER);
    assertThat(stores.append.append(job.lease(), deltas(2))).isEmpty();

    assertThat(stores.events(job.lease().job())).hasSize(before);
    assertGapFree(job.lease().job());
  }

  @Test
  void what_a_run_appends_keeps_its_order_and_returns_its_first_number() {
    LeasedJob job = stores.acquired();

    assertThat(stores.append.append(job.lease(), deltas(3))).isEqualTo(Optional.of(3));
    assertThat(stores.append.append(job.lease(), deltas(1))).isEqualTo(Optional.of(6));
    assertThat(stores.events(job.lease().job()).subList(2, 5))
        .containsExactly(
            "3 output.delta {\"text\":\"0\\u0000\"}",
            "4 output.delta {\"text\":\"1\\u0000\"}",
            "5 output.delta {\"text\":\"2\\u0000\"}");
    assertGapFree(job.lease().job());
  }

  @Test
  void what_is_appended_in_a_transaction_goes_with_it() {
    LeasedJob job = stores.acquired();
    stores
        .database
        .transaction()
        .executeWithoutResult(
            status -> {
              stores.append.append(job.lease(), deltas(2));
              status.setRollbackOnly();
            });

    assertThat(types(job.lease().job())).doesNotContain("output.delta");
    assertGapFree(job.lease().job());
  }

  /** Each waits for the row's lock, so a counter read before that would be stale. */
  @Test
  void many_that_append_at_once_leave_no_gap() throws Exception {
    LeasedJob job = stores.acquired();
    try (var threads = Executors.newFixedThreadPool(4)) {
      var all =
          IntStream.range(0, 80)
              .mapToObj(i -> threads.submit(() -> stores.append.append(job.lease(), deltas(3))))
              .toList();
      for (var one : all) {
        assertThat(one.get()).isPresent();
      }
    }

    assertThat(stores.events(job.lease().job())).hasSize(2 + 240);
    assertGapFree(job.lease().job());
  }

  private static List<NewEvent> deltas(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new NewEvent(EventType.OUTPUT_DELTA, "{\"text\":\"" + i + "\\u0000\"}"))
        .toList();
  }
}
