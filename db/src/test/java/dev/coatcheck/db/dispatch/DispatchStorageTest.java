package dev.coatcheck.db.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.fixture.DatabasePerClass;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.states.StateName;
import org.jobrunr.storage.Paging.AmountBasedList;
import org.jobrunr.storage.StorageProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The contract of what we override in JobRunr's storage, with its server at rest. */
class DispatchStorageTest {
  private static final int SLOTS = 7;

  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private Engine engine;

  @BeforeEach
  void open() {
    engine = new Engine(DATABASE.get(), SLOTS, 15, start -> new CompletableFuture<>());
    engine.database.sql().sql("delete from jobrunr_jobs").update();
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void a_save_joins_the_transaction_and_goes_with_its_rollback() {
    Dispatch dispatch = engine.dispatch();
    engine
        .database
        .transaction()
        .executeWithoutResult(
            status -> {
              engine.dispatches.create(dispatch);
              status.setRollbackOnly();
            });
    assertThat(engine.state(dispatch.id())).isNull();
  }

  @Test
  void a_save_is_there_after_the_commit_and_not_before() {
    Dispatch dispatch = engine.dispatch();
    engine
        .database
        .transaction()
        .executeWithoutResult(
            status -> {
              engine.dispatches.create(dispatch);
              assertThat(seenFromOutside(dispatch)).isZero();
            });
    assertThat(engine.state(dispatch.id())).isEqualTo(StateName.ENQUEUED);
  }

  private static long seenFromOutside(Dispatch dispatch) {
    return Migrated.engine(DATABASE.dataSource())
        .sql()
        .sql("select count(*) from jobrunr_jobs where id = :id")
        .param("id", dispatch.id().toString())
        .query(Long.class)
        .single();
  }

  @Test
  void a_dispatch_made_twice_is_one_and_spoils_no_transaction() {
    Dispatch dispatch = engine.submit();
    Dispatch other = engine.dispatch();
    engine
        .database
        .transaction()
        .executeWithoutResult(
            status -> {
              engine.dispatches.create(dispatch);
              engine.dispatches.create(other);
            });
    assertThat(engine.storage.countJobs(StateName.ENQUEUED)).isEqualTo(2);
  }

  @Test
  void without_a_transaction_a_save_commits_by_itself() {
    Dispatch dispatch = engine.dispatch();
    engine.dispatches.create(dispatch);
    assertThat(engine.state(dispatch.id())).isEqualTo(StateName.ENQUEUED);
  }

  @Test
  void claims_never_exceed_the_free_slots() {
    for (int i = 0; i < 3 * SLOTS; i++) {
      engine.submit();
    }
    assertThat(claim()).hasSize(SLOTS);
    assertThat(claim()).isEmpty();
    engine.slots.giveBack(2);
    assertThat(claim()).hasSize(2);
    assertThat(engine.slots.free()).isZero();
  }

  @Test
  void a_claim_that_finds_less_gives_the_rest_back() {
    engine.submit();
    assertThat(claim()).hasSize(1);
    assertThat(engine.slots.free()).isEqualTo(SLOTS - 1);
  }

  @Test
  void a_claim_that_fails_gives_all_back() {
    engine.submit();
    engine.pool.close();
    assertThatThrownBy(this::claim).isInstanceOf(RuntimeException.class);
    assertThat(engine.slots.free()).isEqualTo(SLOTS);
  }

  private List<Job> claim() {
    return engine.storage.getJobsToProcess(engine.server, AmountBasedList.ascOnUpdatedAt(1_000));
  }

  @Test
  void jobrunrs_own_schedule_leaves_what_is_just_due_to_the_promoter() {
    Instant now = Instant.now();
    engine.dispatches.createAt(engine.dispatch(), now.minusSeconds(1));
    engine.dispatches.createAt(engine.dispatch(), now.minusSeconds(60));
    assertThat(
            engine.storage.getScheduledJobs(
                now.plusSeconds(15), AmountBasedList.ascOnUpdatedAt(10)))
        .hasSize(1);
  }

  @Test
  void what_is_due_is_promoted_and_what_is_not_stays() {
    Dispatch due = engine.dispatch();
    Dispatch later = engine.dispatch();
    engine.dispatches.createAt(due, Instant.now().minusMillis(50));
    engine.dispatches.createAt(later, Instant.now().plusSeconds(60));
    assertThat(engine.storage.promoteDue()).isEqualTo(1);
    assertThat(engine.state(due.id())).isEqualTo(StateName.ENQUEUED);
    assertThat(engine.state(later.id())).isEqualTo(StateName.SCHEDULED);
    assertThat(engine.storage.untilNextDue())
        .hasValueSatisfying(until -> assertThat(until.toSeconds()).isBetween(50L, 60L));
  }

  @Test
  void names_and_labels_fit_at_the_longest_of_every_field() {
    var dispatch =
        new Dispatch(
            engine.dispatch().job(),
            2_000_000_000,
            "m".repeat(255) + "\uD83D\uDE00",
            "k".repeat(255),
            new dev.coatcheck.db.tenant.TenantId("t".repeat(64)),
            "p".repeat(300));
    engine.dispatches.create(dispatch);
    Job job = engine.storage.getJobById(dispatch.id());
    assertThat(job.getJobName()).hasSizeLessThanOrEqualTo(Dispatch.MAX_NAME).endsWith("…");
    assertThat(job.getLabels())
        .hasSize(3)
        .allSatisfy(label -> assertThat(label).hasSizeLessThanOrEqualTo(Dispatch.MAX_LABEL));
  }

  @Test
  void dispatch_ids_are_those_of_their_job_and_number() {
    Dispatch dispatch = engine.dispatch();
    var ids = new ArrayList<UUID>();
    for (int number = 1; number <= 5; number++) {
      ids.add(Dispatch.idOf(dispatch.job(), number));
    }
    assertThat(ids).doesNotHaveDuplicates();
    assertThat(ids.getFirst()).isEqualTo(dispatch.job().value());
    assertThat(ids.subList(1, 5)).allMatch(id -> id.version() == 8 && id.variant() == 2);
    assertThat(Dispatch.idOf(dispatch.job(), 3)).isEqualTo(ids.get(2));
  }

  @Test
  void discarding_shows_a_waiting_dispatch_as_deleted_and_minds_no_missing_one() {
    Dispatch dispatch = engine.submit();
    engine.dispatches.discard(dispatch.id());
    engine.dispatches.discard(UUID.randomUUID());
    assertThat(engine.state(dispatch.id())).isEqualTo(StateName.DELETED);
  }

  @Test
  void everything_else_is_inherited() {
    var ours =
        Arrays.stream(DispatchStorage.class.getDeclaredMethods())
            .filter(method -> isInherited(method) && !method.isBridge())
            .map(method -> method.getName() + Arrays.toString(method.getParameterTypes()))
            .toList();
    assertThat(ours)
        .containsExactlyInAnyOrder(
            "save[class org.jobrunr.jobs.Job]",
            "getJobsToProcess[class org.jobrunr.server.BackgroundJobServer, "
                + "class org.jobrunr.storage.navigation.AmountRequest]",
            "getScheduledJobs[class java.time.Instant, "
                + "class org.jobrunr.storage.navigation.AmountRequest]");
  }

  private static boolean isInherited(Method method) {
    return Arrays.stream(StorageProvider.class.getMethods())
        .anyMatch(
            declared ->
                declared.getName().equals(method.getName())
                    && Arrays.equals(declared.getParameterTypes(), method.getParameterTypes()));
  }

  @Test
  void ended_dispatches_are_deleted_after_an_hour_and_failed_ones_after_a_week() {
    for (String state : List.of("SUCCEEDED", "DELETED", "FAILED")) {
      for (String age : List.of("59 minutes", "61 minutes", "8 days")) {
        endedDispatch(state, age);
      }
    }
    Dispatch waiting = engine.submit();
    engine.clean();
    assertThat(engine.storage.countJobs(StateName.SUCCEEDED)).isEqualTo(1);
    assertThat(engine.storage.countJobs(StateName.DELETED)).isEqualTo(1);
    assertThat(engine.storage.countJobs(StateName.FAILED)).isEqualTo(2);
    assertThat(engine.state(waiting.id())).isEqualTo(StateName.ENQUEUED);
  }

  private void endedDispatch(String state, String age) {
    engine
        .database
        .sql()
        .sql(
            """
            update jobrunr_jobs
            set state = :state, updatedAt = (now() at time zone 'UTC') - cast(:age as interval)
            where id = :id
            """)
        .param("state", state)
        .param("age", age)
        .param("id", engine.submit().id().toString())
        .update();
  }
}
