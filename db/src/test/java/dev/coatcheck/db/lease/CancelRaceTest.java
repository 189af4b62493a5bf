package dev.coatcheck.db.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.call.CallEnd;
import dev.coatcheck.db.call.CallResult;
import dev.coatcheck.db.call.ClaimCall;
import dev.coatcheck.db.call.RecordCall;
import dev.coatcheck.db.call.WakeJob;
import dev.coatcheck.db.event.EventType;
import dev.coatcheck.db.event.NewEvent;
import dev.coatcheck.db.intake.CancelJob;
import dev.coatcheck.db.intake.InTime;
import dev.coatcheck.db.job.EndCode;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.lease.LeaveJob.LastAct;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.db.step.TurnRecord;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.tool.EffectKey;
import dev.coatcheck.fixture.DatabasePerClass;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A cancel and whatever else moves a job, each held open before its commit while the other one
 * comes. One of both is told that it came too late, and nothing is left half done.
 */
@Timeout(60)
class CancelRaceTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private static final Duration SOON = Duration.ofSeconds(10);

  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final InTime inTime = new InTime(Executors.newVirtualThreadPerTaskExecutor());
  private LeaseStores stores;
  private volatile boolean holdCancel;

  /** What comes at the same moment. */
  @SuppressWarnings("ImmutableEnumChecker") // its lambdas keep no state
  enum Rival {
    ACQUIRE(
        stores -> new LeasedJobOrId(stores.queued(), null),
        (stores, job) -> stores.acquire.acquire(job.id(), 1),
        new Acquisition.NotOurs()),
    WAKE(
        Rival::parked,
        (stores, job) -> stores.acquire.acquire(job.id(), 2),
        new Acquisition.NotOurs()),
    OPEN_ATTEMPT(
        Rival::paused,
        (stores, job) -> stores.attempts.open(job.lease(), 1, 2),
        Written.LEASE_LOST),
    PAUSE(
        Rival::running,
        (stores, job) ->
            stores.attempts.pause(job.lease(), LeaseStores.refused(1), Duration.ofSeconds(1)),
        Written.LEASE_LOST),
    RECORD(
        Rival::running,
        (stores, job) ->
            stores.leave.leave(
                job.leased(),
                LeaseStores.completed(),
                new LastAct(
                    LeaseStores.answered(1), new TurnRecord(1, 1, new byte[] {'{', '}'}, "stop"))),
        Written.LEASE_LOST),
    FAIL(
        Rival::running,
        (stores, job) ->
            stores.leave.leave(
                job.leased(),
                new Departure.Ended(
                    JobStatus.FAILED, null, Departure.JobError.of(EndCode.BILLING, "no money")),
                new LastAct(LeaseStores.refused(1), null)),
        Written.LEASE_LOST),
    PARK(
        Rival::running,
        (stores, job) ->
            stores.leave.leave(
                job.leased(),
                new Departure.Parked(Duration.ofSeconds(30), "rate_limited", "wait"),
                new LastAct(LeaseStores.refused(1), null)),
        Written.LEASE_LOST),
    RELEASE(
        Rival::running,
        (stores, job) ->
            stores.leave.leave(
                job.leased(), new Departure.Released(), new LastAct(LeaseStores.refused(1), null)),
        Written.LEASE_LOST),
    APPEND(
        Rival::running,
        (stores, job) ->
            stores.append.append(
                job.lease(), List.of(new NewEvent(EventType.OUTPUT_DELTA, "{\"text\":\"x\"}"))),
        Optional.empty()),
    CLAIM_TOOL(
        stores -> called(stores, "pending", 0),
        (stores, job) ->
            new ClaimCall(stores.database, stores.notifier)
                .claim(
                    job.lease(), job.call(), new ClaimCall.Send(1, ClaimCall.Earlier.ALL_ANSWERED)),
        ClaimCall.Result.LEASE_LOST),
    RECORD_TOOL(
        stores -> called(stores, "running", 1),
        (stores, job) ->
            new RecordCall(
                    stores.database,
                    new WakeJob(
                        stores.database.sql(),
                        stores.database.transaction(),
                        stores.dispatches,
                        stores.notifier),
                    stores.notifier)
                .end(job.lease(), job.call(), new CallEnd.Done(CallResult.text("did it"))),
        Written.YES),
    RENEW(
        Rival::running,
        (stores, job) -> stores.renew.renew(List.of(job.lease())).renewed(),
        Set.of()),
    REAP(
        stores -> {
          LeasedJobOrId job = running(stores);
          stores.set(job.id(), "lease_expires_at = now()");
          return job;
        },
        (stores, job) -> stores.reap.reap(),
        List.of()),
    EXPIRE(
        stores -> {
          LeasedJobOrId job = running(stores);
          stores.set(job.id(), "deadline_at = now()");
          return job;
        },
        (stores, job) -> stores.expire.expire(),
        List.of()),
    RECONCILE(
        stores -> {
          JobId job = stores.queued();
          stores.database.sql().sql("delete from jobrunr_jobs").update();
          return new LeasedJobOrId(job, null);
        },
        (stores, job) -> stores.reconcile.reconcile(),
        List.of());

    private final Function<LeaseStores, LeasedJobOrId> prepare;
    private final BiFunction<LeaseStores, LeasedJobOrId, Object> act;
    private final Object tooLate;

    Rival(
        Function<LeaseStores, LeasedJobOrId> prepare,
        BiFunction<LeaseStores, LeasedJobOrId, Object> act,
        Object tooLate) {
      this.prepare = prepare;
      this.act = act;
      this.tooLate = tooLate;
    }

    private static LeasedJobOrId running(LeaseStores stores) {
      LeasedJob leased = stores.acquired();
      return new LeasedJobOrId(leased.lease().job(), leased);
    }

    private static LeasedJobOrId paused(LeaseStores stores) {
      LeasedJobOrId job = running(stores);
      stores.attempts.pause(job.lease(), LeaseStores.refused(1), Duration.ofMillis(1));
      return job;
    }

    /** With a tool call of its first turn in that state. */
    private static LeasedJobOrId called(LeaseStores stores, String state, int sends) {
      LeasedJobOrId job = paused(stores);
      stores
          .database
          .sql()
          .sql(
              """
              insert into tool_call (job_id, turn, ordinal, tenant_id, id, effect_key,
                provider_call_id, name, arguments, safety, state, epoch, sends)
              values (:job, 1, 1, 'default', :job, 'e', '"c"', 'refund', '{}', 'keyed', :state,
                :epoch, :sends)
              """)
          .param("job", job.id().value())
          .param("state", state)
          .param("epoch", sends == 0 ? null : job.lease().epoch().value())
          .param("sends", sends)
          .update();
      return job;
    }

    private static LeasedJobOrId parked(LeaseStores stores) {
      LeasedJobOrId job = running(stores);
      stores.leave.leave(
          job.leased(),
          new Departure.Parked(Duration.ofSeconds(30), "rate_limited", "wait"),
          new LastAct(LeaseStores.refused(1), null));
      stores.set(job.id(), "wake_at = now()");
      return job;
    }

    /** How the job ends where this comes first. */
    String endWhereItIsFirst() {
      return switch (this) {
        case RECORD -> "completed";
        case FAIL -> "failed";
        case EXPIRE -> "expired";
        case ACQUIRE,
            WAKE,
            OPEN_ATTEMPT,
            PAUSE,
            PARK,
            RELEASE,
            APPEND,
            CLAIM_TOOL,
            RECORD_TOOL,
            RENEW,
            REAP,
            RECONCILE ->
            "cancelled";
      };
    }
  }

  /** A job, and who holds it if anybody does. */
  record LeasedJobOrId(JobId id, @Nullable LeasedJob held) {
    LeasedJob leased() {
      return Objects.requireNonNull(held);
    }

    Lease lease() {
      return leased().lease();
    }

    EffectKey.Place call() {
      return new EffectKey.Place(id, 1, 1);
    }
  }

  @BeforeEach
  void open() {
    stores = new LeaseStores(DATABASE.get());
    stores.database.sql().sql("delete from job").update();
    stores.database.sql().sql("delete from event").update();
  }

  @AfterEach
  void close() {
    release.countDown();
    threads.close();
    inTime.close();
    stores.close();
  }

  @ParameterizedTest
  @EnumSource
  void what_comes_while_a_cancel_is_open_comes_too_late(Rival rival) throws Exception {
    LeasedJobOrId job = rival.prepare.apply(stores);
    int attempts = attempts(job.id());
    holdCancel = true;
    Future<?> cancelled = threads.submit(() -> cancel(job.id()));
    await(reached);
    Future<Object> other = threads.submit(() -> rival.act.apply(stores, job));
    awaitBlockedOrDone(other);
    release.countDown();
    cancelled.get();

    assertThat(other.get()).isEqualTo(rival.tooLate);
    assertThat(stores.row(job.id())).containsEntry("status", "cancelled");
    assertThat(attempts(job.id())).isEqualTo(attempts);
    assertNothingIsHalfDone(job.id());
  }

  @ParameterizedTest
  @EnumSource
  void a_cancel_that_comes_while_something_is_open_waits_for_it(Rival rival) throws Exception {
    LeasedJobOrId job = rival.prepare.apply(stores);
    Future<?> other =
        threads.submit(
            () ->
                stores
                    .database
                    .transaction()
                    .executeWithoutResult(
                        status -> {
                          var _ = rival.act.apply(stores, job);
                          reached.countDown();
                          await(release);
                        }));
    await(reached);
    Future<?> cancelled = threads.submit(() -> cancel(job.id()));
    Awaitility.await().atMost(SOON).until(() -> stores.blocked() == 1);
    assertThat(cancelled).isNotDone();
    release.countDown();
    other.get();
    cancelled.get();

    assertThat(stores.row(job.id())).containsEntry("status", rival.endWhereItIsFirst());
    assertNothingIsHalfDone(job.id());
  }

  /** The answer was given, so nothing is started any more. */
  @ParameterizedTest
  @EnumSource
  void what_comes_after_the_answer_changes_nothing(Rival rival) {
    LeasedJobOrId job = rival.prepare.apply(stores);
    cancel(job.id());
    String row = text(job.id());
    List<String> events = stores.events(job.id());
    int attempts = attempts(job.id());

    assertThat(rival.act.apply(stores, job)).isEqualTo(rival.tooLate);
    assertThat(text(job.id())).isEqualTo(row);
    assertThat(stores.events(job.id())).isEqualTo(events);
    assertThat(attempts(job.id())).isEqualTo(attempts);
  }

  private void cancel(JobId job) {
    Probe probe =
        point -> {
          if (point == Checkpoint.W4_CANCELLED && holdCancel) {
            reached.countDown();
            await(release);
          }
        };
    var database = new WebDatabase(stores.database.sql(), stores.database.transaction(), probe);
    new CancelJob(database, stores.dispatches, stores.notifier, inTime)
        .cancel(TenantId.DEFAULT, job);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(SOON.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** Whoever skips locked rows is not blocked. */
  private void awaitBlockedOrDone(Future<?> other) {
    Awaitility.await().atMost(SOON).until(() -> other.isDone() || stores.blocked() == 1);
  }

  private String text(JobId job) {
    return stores
        .database
        .sql()
        .sql("select job::text from job where id = :job")
        .param("job", job.value())
        .query((row, index) -> row.getString(1))
        .single();
  }

  private int attempts(JobId job) {
    return count("select count(*) from attempt where job_id = :job", job);
  }

  private int count(String sql, JobId job) {
    return stores
        .database
        .sql()
        .sql(sql)
        .param("job", job.value())
        .query((row, index) -> row.getInt(1))
        .single();
  }

  private void assertNothingIsHalfDone(JobId job) {
    var row = stores.row(job);
    assertThat(row.get("ended_at")).isNotNull();
    assertThat(row).containsEntry("lease_owner", null).containsEntry("lease_expires_at", null);
    assertThat(count("select count(*) from attempt where job_id = :job and state = 'sending'", job))
        .isZero();
    List<String> events = stores.events(job);
    assertThat(events.getLast()).contains(" job." + row.get("status") + " ");
    assertThat(
            events.stream()
                .filter(event -> event.contains("\"error\"") || event.contains(" job.completed ")))
        .as("one end")
        .hasSize(1);
    assertThat(events.stream().map(event -> event.substring(0, event.indexOf(' '))))
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, events.size()).mapToObj(Integer::toString).toList());
    assertThat(row).containsEntry("events", events.size());
  }
}
