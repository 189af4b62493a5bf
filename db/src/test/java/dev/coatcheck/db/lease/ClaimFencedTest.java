package dev.coatcheck.db.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.call.ClaimCall;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.fixture.DatabasePerClass;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a claimed call did is told under the epoch of its claim, whatever became of its job. */
class ClaimFencedTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private LeaseStores stores;
  private CallWrites calls;
  private Map<String, FencedWrites.Act> writes;

  @BeforeEach
  void open() {
    stores = new LeaseStores(DATABASE.get());
    calls = new CallWrites(stores);
    writes = Map.of("RecordCall.end", calls::end, "RecordCall.postpone", calls::postpone);
  }

  @AfterEach
  void close() {
    stores.close();
  }

  private LeasedJob claimed() {
    LeasedJob job = stores.acquired();
    calls.askAndClaim(job);
    return job;
  }

  @ParameterizedTest
  @EnumSource(JobStatus.class)
  void a_call_that_another_run_has_claimed_is_not_touched(JobStatus status) {
    writes.forEach(
        (name, write) -> {
          LeasedJob job = claimed();
          stores.move(job.lease().job(), status);
          setCall(job.lease().job(), "epoch = epoch + 1");
          Map<String, List<String>> before = stores.everything();
          assertThat(write.with(job)).as(name).isEqualTo(Written.LEASE_LOST);
          assertThat(stores.everything()).as(name).isEqualTo(before);
        });
  }

  @ParameterizedTest
  @EnumSource(JobStatus.class)
  void a_call_is_told_of_once_although_its_job_has_moved(JobStatus status) {
    writes.forEach(
        (name, write) -> {
          LeasedJob job = claimed();
          stores.move(job.lease().job(), status);
          Map<String, List<String>> before = stores.everything();
          assertThat(write.with(job)).as(name).isEqualTo(Written.YES);
          Map<String, List<String>> after = stores.everything();
          assertThat(after.get("tool_call")).as(name).isNotEqualTo(before.get("tool_call"));
          assertThat(write.with(job)).as(name).isEqualTo(Written.YES);
          assertThat(stores.everything()).as(name).isEqualTo(after);
        });
  }

  @ParameterizedTest
  @EnumSource(JobStatus.class)
  void a_job_that_has_ended_stays_as_it_ended(JobStatus status) {
    if (status.isOpen()) {
      return;
    }
    LeasedJob job = claimed();
    stores.move(job.lease().job(), status);
    Map<String, List<String>> before = stores.everything();
    assertThat(calls.end(job)).isEqualTo(Written.YES);
    before.put("tool_call", stores.everything().get("tool_call"));
    assertThat(stores.everything()).isEqualTo(before);
  }

  /** Found by the simulation, seed 606: not run, and by its time not over. */
  @Test
  void a_call_that_is_put_off_when_its_job_has_ended_is_over() {
    LeasedJob job = claimed();
    stores.move(job.lease().job(), JobStatus.CANCELLED);
    assertThat(calls.postpone(job)).isEqualTo(Written.YES);
    assertThat(call(job)).containsEntry("state", "not_run").containsEntry("over", true);
  }

  @ParameterizedTest
  @CsvSource({
    "keyed, in_doubt, false",
    "at-most-once, in_doubt, false",
    "read-only, not_run, true"
  })
  void a_call_whose_reply_was_lost_does_not_say_not_run_when_its_job_has_ended(
      String safety, String state, boolean isOver) {
    for (boolean isPutOffFirst : List.of(true, false)) {
      LeasedJob job = claimed();
      setCall(job.lease().job(), "safety = '" + safety + "'");
      if (isPutOffFirst) {
        calls.postpone(job, ClaimCall.Earlier.REPLY_LOST);
      }
      stores.move(job.lease().job(), JobStatus.CANCELLED);
      assertThat(calls.postpone(job, ClaimCall.Earlier.REPLY_LOST)).isEqualTo(Written.YES);
      assertThat(call(job))
          .containsEntry("state", state)
          .containsEntry("over", isOver)
          .containsEntry("said", !isOver)
          .containsEntry("reply_lost", true);
    }
  }

  private Map<String, @Nullable Object> call(LeasedJob job) {
    return stores
        .database
        .sql()
        .sql(
            """
            select state, ended_at is not null as over, error is not null as said, reply_lost
            from tool_call where job_id = :id
            """)
        .param("id", job.lease().job().value())
        .query()
        .singleRow();
  }

  @Test
  void no_write_of_this_kind_is_forgotten_here() throws Exception {
    assertThat(FencedTest.marked(ClaimFenced.class)).isNotEmpty().isEqualTo(writes.keySet());
  }

  private void setCall(JobId job, String assignment) {
    stores
        .database
        .sql()
        .sql("update tool_call set " + assignment + " where job_id = :id")
        .param("id", job.value())
        .update();
  }
}
