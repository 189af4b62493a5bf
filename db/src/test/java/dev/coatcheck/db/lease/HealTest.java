package dev.coatcheck.db.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.lease.LeaveJob.LastAct;
import dev.coatcheck.db.pool.EnginePool;
import dev.coatcheck.db.step.TurnRecord;
import dev.coatcheck.fixture.DatabasePerClass;
import java.sql.SQLException;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What heals, one statement at a time. */
class HealTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private LeaseStores stores;

  @BeforeEach
  void open() {
    stores = new LeaseStores(DATABASE.get());
    stores.database.sql().sql("delete from tool_call").update();
    stores.database.sql().sql("delete from job").update();
  }

  @AfterEach
  void close() {
    stores.close();
  }

  private void runOut(JobId job) {
    stores.set(job, "lease_expires_at = now() - interval '1 millisecond'");
  }

  @Test
  void a_lease_that_ran_out_is_ended_with_the_next_dispatch_in_the_same_transaction() {
    LeasedJob leased = stores.acquired();
    JobId job = leased.lease().job();
    stores.attempts.open(leased.lease(), 1, 1);
    runOut(job);
    assertThat(stores.reap.reap()).containsExactly(job);
    assertThat(stores.row(job))
        .containsEntry("status", "queued")
        .containsEntry("epoch", 2L)
        .containsEntry("deaths", 1)
        .containsEntry("dispatch_no", 2);
    assertThat(stores.attempt(job, 1))
        .containsEntry("state", "indeterminate")
        .containsEntry("billed", "unknown")
        .containsEntry("counted", true);
    assertThat(stores.dispatchState(job, 2)).isEqualTo("ENQUEUED");
    assertThat(stores.reap.reap()).isEmpty();
  }

  @Test
  void a_lease_that_still_runs_is_left_alone() {
    stores.acquired();
    assertThat(stores.reap.reap()).isEmpty();
  }

  /** Found by the chaos harness: 15 s, and the reaper passed the row by as often. */
  @Test
  void a_job_held_by_the_transaction_of_a_frozen_worker_is_reaped_within_seconds()
      throws SQLException {
    JobId job = stores.acquired().lease().job();
    runOut(job);
    try (var pool = EnginePool.of(DATABASE.get())) {
      // Its close would fail: the server has ended it.
      var frozen = pool.getConnection();
      frozen.setAutoCommit(false);
      frozen.prepareStatement("select from job where id = '" + job + "' for update").execute();
      assertThat(stores.reap.reap()).isEmpty();
      Awaitility.await()
          .atMost(Duration.ofSeconds(4))
          .untilAsserted(() -> assertThat(stores.reap.reap()).containsExactly(job));
    }
  }

  @Test
  void suspects_part_company_and_the_fifth_death_is_the_last() {
    JobId job = stores.queued();
    for (int death = 1; death < LeaseStores.MAX_DEATHS; death++) {
      stores.acquired(job, death);
      runOut(job);
      stores.reap.reap();
      assertThat(stores.dispatchState(job, death + 1))
          .isEqualTo(death == 1 ? "ENQUEUED" : "SCHEDULED");
      stores.set(job, "wake_at = null");
    }
    stores.acquired(job, LeaseStores.MAX_DEATHS);
    runOut(job);
    stores.reap.reap();
    assertThat(stores.row(job))
        .containsEntry("status", "failed")
        .containsEntry("error_code", "poisoned");
  }

  @Test
  void a_recorded_turn_forgets_the_deaths_before_it() {
    JobId job = stores.queued();
    LeasedJob first = stores.acquired(job, 1);
    runOut(job);
    stores.reap.reap();
    LeasedJob second = stores.acquired(job, 2);
    stores.attempts.open(second.lease(), 1, 1);
    stores.leave.leave(
        second,
        LeaseStores.completed(),
        new LastAct(LeaseStores.refused(1), new TurnRecord(1, 1, new byte[] {'{', '}'}, null)));
    assertThat(first.lease().epoch()).isNotEqualTo(second.lease().epoch());
    assertThat(stores.row(job)).containsEntry("deaths", 0);
  }

  @Test
  void a_process_that_owns_its_database_alone_forfeits_the_leases_it_finds() {
    LeasedJob leased = stores.acquired();
    stores.reap.forfeitAll();
    assertThat(stores.reap.reap()).containsExactly(leased.lease().job());
  }

  @ParameterizedTest
  @ValueSource(strings = {"queued", "in_progress", "requires_action"})
  void the_deadline_ends_every_open_job(String status) {
    LeasedJob leased = stores.acquired();
    JobId job = leased.lease().job();
    stores.attempts.open(leased.lease(), 1, 1);
    stores.set(job, "status = '" + status + "', deadline_at = now()");
    assertThat(stores.expire.expire()).containsExactly(job);
    assertThat(stores.row(job))
        .containsEntry("status", "expired")
        .containsEntry("error_code", "deadline_exceeded")
        .containsEntry("epoch", 2L);
    assertThat(stores.attempt(job, 1)).containsEntry("state", "indeterminate");
  }

  @ParameterizedTest
  @ValueSource(strings = {"completed", "incomplete", "failed", "cancelled", "expired"})
  void an_ended_job_does_not_expire(String status) {
    JobId job = stores.queued();
    stores.set(job, "status = '" + status + "', deadline_at = now(), ended_at = now()");
    assertThat(stores.expire.expire()).isEmpty();
    assertThat(stores.row(job)).containsEntry("status", status);
  }

  @ParameterizedTest
  @ValueSource(strings = {"SUCCEEDED", "FAILED", "DELETED"})
  void a_queued_job_whose_dispatch_has_ended_gets_a_new_one(String state) {
    JobId job = stores.queued();
    setDispatch(job, "state = '" + state + "'");
    assertThat(stores.reconcile.reconcile()).containsExactly(job);
    assertThat(stores.dispatchState(job, 2)).isEqualTo("ENQUEUED");
    assertThat(stores.reconcile.reconcile()).isEmpty();
  }

  @Test
  void a_queued_job_whose_dispatch_is_gone_gets_a_new_one_for_its_time() {
    JobId job = stores.queued();
    stores.set(job, "wake_at = now() + interval '1 hour'");
    stores.database.sql().sql("delete from jobrunr_jobs").update();
    assertThat(stores.reconcile.reconcile()).containsExactly(job);
    assertThat(stores.dispatchState(job, 2)).isEqualTo("SCHEDULED");
  }

  @Test
  void a_dispatch_stuck_in_processing_is_replaced_after_10_s_and_not_before() {
    JobId stuck = stores.queued();
    JobId fresh = stores.queued();
    setDispatch(stuck, "state = 'PROCESSING', updatedAt = updatedAt - interval '11 seconds'");
    setDispatch(fresh, "state = 'PROCESSING'");
    assertThat(stores.reconcile.reconcile()).containsExactly(stuck);
  }

  @Test
  void a_job_with_a_live_dispatch_needs_no_new_one() {
    stores.queued();
    JobId scheduled = stores.queued();
    setDispatch(scheduled, "state = 'SCHEDULED'");
    assertThat(stores.reconcile.reconcile()).isEmpty();
  }

  /** A call whose worker was lost after its job had ended, so that no lease ran out. */
  private LeasedJob leftRunning(String safety, String endedAgo) {
    LeasedJob job = stores.acquired();
    new CallWrites(stores).askAndClaim(job);
    stores.move(job.lease().job(), JobStatus.CANCELLED);
    stores.set(job.lease().job(), "ended_at = now() - interval '" + endedAgo + "'");
    stores.database.sql().sql("update tool_call set safety = '" + safety + "'").update();
    return job;
  }

  private String call(LeasedJob job) {
    return stores
        .database
        .sql()
        .sql("select state || ' ' || (ended_at is not null) from tool_call where job_id = :id")
        .param("id", job.lease().job().value())
        .query(String.class)
        .single();
  }

  @ParameterizedTest
  @CsvSource({"keyed, in_doubt false", "at-most-once, in_doubt false", "read-only, failed true"})
  void a_call_that_runs_long_after_its_job_ended_is_not_left_running(String safety, String then) {
    LeasedJob job = leftRunning(safety, "66 minutes");
    assertThat(stores.doubt.doubt()).containsExactly(job.lease().job());
    assertThat(call(job)).isEqualTo(then);
    assertThat(stores.doubt.doubt()).isEmpty();
  }

  @Test
  void a_call_that_a_live_worker_may_still_run_is_left_to_it() {
    LeasedJob job = leftRunning("keyed", "64 minutes");
    assertThat(stores.doubt.doubt()).isEmpty();
    assertThat(call(job)).isEqualTo("running false");
  }

  @Test
  void what_a_lost_call_did_can_still_be_recorded() {
    LeasedJob job = leftRunning("keyed", "66 minutes");
    stores.doubt.doubt();
    assertThat(new CallWrites(stores).end(job)).isEqualTo(Written.YES);
    assertThat(call(job)).isEqualTo("done true");
  }

  private void setDispatch(JobId job, String assignment) {
    stores
        .database
        .sql()
        .sql("update jobrunr_jobs set " + assignment + " where id = :id")
        .param("id", job.toString())
        .update();
  }
}
