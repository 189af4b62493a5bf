package dev.coatcheck.db.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.attempt.AttemptEnd;
import dev.coatcheck.db.job.EndCode;
import dev.coatcheck.db.job.Epoch;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.lease.LeaveJob.LastAct;
import dev.coatcheck.db.step.TurnRecord;
import dev.coatcheck.fixture.DatabasePerClass;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The right to write: acquired once, fenced by its epoch, given back, or taken. */
class LeaseTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

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

  @Test
  void a_queued_job_is_acquired_once_under_a_new_epoch() {
    JobId job = stores.queued();
    LeasedJob leased = stores.acquired(job, 1);
    assertThat(leased.lease().epoch()).isEqualTo(new Epoch(1));
    assertThat(leased.clock().untilDeadline())
        .isBetween(Duration.ofMinutes(29), Duration.ofMinutes(30));
    assertThat(new String(leased.body(), StandardCharsets.UTF_8)).isEqualTo("{\"prompt\":\"hi\"}");
    assertThat(stores.acquire.acquire(job, 1)).isInstanceOf(Acquisition.NotOurs.class);
    assertThat(stores.row(job)).containsEntry("status", "in_progress").containsEntry("epoch", 1L);
  }

  @Test
  void the_next_attempt_is_opened_with_the_lease() {
    LeasedJob leased = stores.acquired();
    assertThat(leased.progress()).isEqualTo(new LeasedJob.Progress(0, 0, true));
    assertThat(stores.attempt(leased.lease().job(), 1))
        .containsEntry("state", "sending")
        .containsEntry("turn", 1)
        .containsEntry("epoch", 1L);
    assertThat(stores.attempts.past(leased.lease(), 1)).isEmpty();
  }

  @Test
  void no_attempt_is_opened_beyond_the_budget_nor_for_a_gated_provider() {
    JobId spent = stores.queued();
    stores.set(spent, "max_attempts = 1");
    LeasedJob first = stores.acquired(spent, 1);
    stores.leave.leave(
        first, parked(Duration.ofMillis(1)), new LastAct(LeaseStores.refused(1), null));
    stores.set(spent, "wake_at = now()");
    assertThat(stores.acquired(spent, 2).progress()).isEqualTo(new LeasedJob.Progress(0, 1, false));
    JobId gated = stores.queued();
    stores.set(gated, "provider = 'gated'");
    assertThat(stores.acquired(gated, 1).progress().opened()).isFalse();
  }

  @Test
  void an_older_dispatch_is_void() {
    JobId job = stores.queued();
    stores.set(job, "dispatch_no = 3");
    assertThat(stores.acquire.acquire(job, 1)).isInstanceOf(Acquisition.NotOurs.class);
    assertThat(stores.row(job)).containsEntry("status", "queued");
  }

  @Test
  void a_job_past_its_deadline_is_not_acquired() {
    JobId job = stores.queued();
    stores.set(job, "deadline_at = now() - interval '1 second'");
    assertThat(stores.acquire.acquire(job, 1)).isInstanceOf(Acquisition.NotOurs.class);
  }

  @Test
  void a_dispatch_requeued_by_hand_before_its_time_changes_nothing_but_its_number() {
    JobId job = stores.queued();
    stores.set(job, "wake_at = now() + interval '1 minute', reason_code = 'rate_limited'");
    assertThat(stores.acquire.acquire(job, 1)).isInstanceOf(Acquisition.NotOurs.class);
    assertThat(stores.row(job))
        .containsEntry("status", "queued")
        .containsEntry("dispatch_no", 2)
        .containsEntry("reason_code", "rate_limited");
    assertThat(stores.dispatchState(job, 2)).isEqualTo("SCHEDULED");
  }

  @Test
  void an_answer_is_recorded_and_its_job_ended_in_one_write() {
    LeasedJob job = stores.acquired();
    assertThat(stores.attempts.open(job.lease(), 1, 1)).isEqualTo(Written.YES);
    byte[] message = "{\"content\":\"\\u0000\\ud800\"}".getBytes(StandardCharsets.UTF_8);
    Written written =
        stores.leave.leave(
            job, LeaseStores.completed(), new LastAct(LeaseStores.answered(1), turn(1, message)));
    assertThat(written).isEqualTo(Written.YES);
    assertThat(stores.row(job.lease().job()))
        .containsEntry("status", "completed")
        .containsEntry("finish_reason", "stop")
        .containsEntry("lease_expires_at", null);
    assertThat(stores.attempt(job.lease().job(), 1))
        .containsEntry("state", "answered")
        .containsEntry("billed", "yes")
        .containsEntry("usage_output", 5L)
        .containsEntry("usage_cache_write", null);
    assertThat(turns(job)).containsExactly(message);
  }

  @Test
  void the_same_end_written_twice_is_one() {
    LeasedJob job = stores.acquired();
    stores.attempts.open(job.lease(), 1, 1);
    var act = new LastAct(LeaseStores.answered(1), turn(1, new byte[] {'{', '}'}));
    assertThat(stores.leave.leave(job, LeaseStores.completed(), act)).isEqualTo(Written.YES);
    assertThat(stores.leave.leave(job, LeaseStores.completed(), act)).isEqualTo(Written.YES);
    assertThat(turns(job)).hasSize(1);
  }

  @Test
  void a_write_under_a_passed_epoch_touches_nothing() {
    LeasedJob job = stores.acquired();
    stores.attempts.open(job.lease(), 1, 1);
    stores.set(job.lease().job(), "epoch = epoch + 1");
    var act = new LastAct(LeaseStores.answered(1), turn(1, new byte[] {'{', '}'}));
    assertThat(stores.leave.leave(job, LeaseStores.completed(), act)).isEqualTo(Written.LEASE_LOST);
    assertThat(stores.leave.leave(job, parked(Duration.ofSeconds(5)), LastAct.none()))
        .isEqualTo(Written.LEASE_LOST);
    assertThat(stores.leave.leave(job, new Departure.Released(), LastAct.none()))
        .isEqualTo(Written.LEASE_LOST);
    assertThat(stores.attempts.open(job.lease(), 1, 2)).isEqualTo(Written.LEASE_LOST);
    assertThat(stores.row(job.lease().job())).containsEntry("status", "in_progress");
    assertThat(stores.attempt(job.lease().job(), 1)).containsEntry("state", "sending");
    assertThat(turns(job)).isEmpty();
    assertThat(stores.dispatchState(job.lease().job(), 2)).isNull();
  }

  @Test
  void an_attempt_opened_twice_is_one() {
    LeasedJob job = stores.acquired();
    assertThat(stores.attempts.open(job.lease(), 1, 1)).isEqualTo(Written.YES);
    assertThat(stores.attempts.open(job.lease(), 1, 1)).isEqualTo(Written.YES);
  }

  @Test
  void a_pause_in_place_is_kept_with_its_cause_and_its_end() {
    LeasedJob job = stores.acquired();
    stores.attempts.open(job.lease(), 1, 1);
    Duration wait = Duration.ofMillis(1_500);
    assertThat(stores.attempts.pause(job.lease(), LeaseStores.refused(1), wait))
        .isEqualTo(Written.YES);
    assertThat(stores.attempts.pause(job.lease(), LeaseStores.refused(1), wait))
        .isEqualTo(Written.YES);
    assertThat(stores.attempt(job.lease().job(), 1))
        .containsEntry("state", "refused")
        .containsEntry("http_status", 429)
        .containsEntry("retry_after_ms", 3_000L)
        .containsEntry("wait_ms", 1_500L)
        .containsEntry("provider_request_id", "req_1");
    assertThat(stores.attempts.past(job.lease(), 1)).hasSize(1);
  }

  @Test
  void a_parked_job_holds_nothing_and_has_its_next_dispatch_for_the_same_instant() {
    LeasedJob job = stores.acquired();
    JobId id = job.lease().job();
    stores.attempts.open(job.lease(), 1, 1);
    stores.leave.leave(
        job, parked(Duration.ofSeconds(30)), new LastAct(LeaseStores.refused(1), null));
    assertThat(stores.row(id))
        .containsEntry("status", "queued")
        .containsEntry("reason_code", "rate_limited")
        .containsEntry("lease_owner", null)
        .containsEntry("dispatch_no", 2);
    assertThat(stores.dispatchState(id, 2)).isEqualTo("SCHEDULED");
    Boolean same =
        stores
            .database
            .sql()
            .sql(
                """
                select dispatch.scheduledAt = job.wake_at at time zone 'UTC' from job
                join jobrunr_jobs dispatch on dispatch.id = job.dispatch_id::text where job.id = :id
                """)
            .param("id", id.value())
            .query(Boolean.class)
            .single();
    assertThat(same).isTrue();
  }

  @Test
  void a_released_job_goes_on_at_once_and_its_aborted_attempt_does_not_count() {
    LeasedJob job = stores.acquired();
    stores.attempts.open(job.lease(), 1, 1);
    var aborted =
        new AttemptEnd(
            1,
            "indeterminate",
            AttemptEnd.Counts.NO,
            null,
            "unknown",
            new AttemptEnd.Receipt(null, null, 0, Duration.ofSeconds(1)),
            null);
    stores.leave.leave(job, new Departure.Released(), new LastAct(aborted, null));
    assertThat(stores.dispatchState(job.lease().job(), 2)).isEqualTo("ENQUEUED");
    LeasedJob again = stores.acquired(job.lease().job(), 2);
    assertThat(again.progress().lastAttempt()).isEqualTo(1);
    assertThat(stores.attempts.past(again.lease(), 1)).isEmpty();
    assertThat(stores.row(job.lease().job())).containsEntry("deaths", 0);
  }

  @Test
  void texts_of_strangers_are_made_fit_for_text_columns() {
    LeasedJob job = stores.acquired();
    var error = Departure.JobError.of(EndCode.INVALID_REQUEST, "a\u0000b\ud800c\uD83D\uDE00");
    stores.leave.leave(job, new Departure.Ended(JobStatus.FAILED, null, error), LastAct.none());
    assertThat(stores.row(job.lease().job()))
        .containsEntry("error_message", "a\uFFFDb\uFFFDc\uD83D\uDE00");
  }

  @Test
  void renewing_keeps_what_is_held_and_names_what_is_lost() {
    LeasedJob kept = stores.acquired();
    LeasedJob moved = stores.acquired();
    LeasedJob expired = stores.acquired();
    stores.set(moved.lease().job(), "epoch = epoch + 1");
    stores.set(expired.lease().job(), "lease_expires_at = now() - interval '1 minute'");
    RenewLeases.Renewal renewal =
        stores.renew.renew(List.of(kept.lease(), moved.lease(), expired.lease()));
    assertThat(renewal.renewed())
        .containsExactlyInAnyOrder(kept.lease().job(), expired.lease().job());
    assertThat(renewal.lost()).containsExactly(moved.lease().job());
    assertThat(stores.reap.reap()).isEmpty();
  }

  @Test
  void a_renewal_gives_its_connection_back() {
    LeasedJob kept = stores.acquired(stores.queued(), 1);
    LeasedJob moved = stores.acquired(stores.queued(), 1);
    stores.set(moved.lease().job(), "epoch = epoch + 1");
    assertThat(stores.renew.renew(List.of(kept.lease(), moved.lease())).lost()).hasSize(1);
    assertThat(stores.pool.getHikariPoolMXBean().getActiveConnections()).isZero();
  }

  @Test
  void a_locked_row_is_neither_renewed_nor_lost() {
    LeasedJob job = stores.acquired();
    stores
        .database
        .transaction()
        .executeWithoutResult(
            status -> {
              stores.set(job.lease().job(), "deaths = deaths");
              var elsewhere =
                  new RenewLeases(Migrated.engine(DATABASE.dataSource()), LeaseStores.LEASE);
              var renewal = elsewhere.renew(List.of(job.lease()));
              assertThat(renewal.renewed()).isEmpty();
              assertThat(renewal.lost()).isEmpty();
            });
  }

  private static Departure parked(Duration pause) {
    return new Departure.Parked(pause, "rate_limited", "openai answered 429");
  }

  private static TurnRecord turn(int attempt, byte[] message) {
    return new TurnRecord(1, attempt, message, "stop");
  }

  private List<byte[]> turns(LeasedJob job) {
    return stores
        .database
        .sql()
        .sql("select message from turn where job_id = :id order by number")
        .param("id", job.lease().job().value())
        .query((row, index) -> row.getBytes(1))
        .list();
  }
}
