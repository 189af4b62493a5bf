package dev.coatcheck.db.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.fixture.DatabasePerClass;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.states.FailedState;
import org.jobrunr.jobs.states.StateName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** JobRunr's server with our parts around it, at its slowest poll. */
class DispatchServerTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private final Map<UUID, Long> startedAt = new ConcurrentHashMap<>();
  private final List<CompletableFuture<DispatchEnd>> open = new CopyOnWriteArrayList<>();
  private @Nullable Engine started;

  private Engine start(int slots, RunStarter runs) {
    Engine engine = new Engine(DATABASE.get(), slots, 15, runs).start();
    started = engine;
    await().atMost(SOON).until(() -> engine.server.isAnnounced());
    Dispatch first = engine.submit();
    await().atMost(SOON).until(() -> engine.state(first.id()) != StateName.ENQUEUED);
    return engine;
  }

  @AfterEach
  void close() {
    open.forEach(end -> end.complete(new DispatchEnd.Succeeded()));
    if (started != null) {
      started.close();
    }
  }

  private CompletableFuture<DispatchEnd> ended(RunStarter.Start start, DispatchEnd end) {
    start.slot().take();
    startedAt.put(start.job().value(), System.nanoTime());
    start.slot().release();
    return CompletableFuture.completedFuture(end);
  }

  @Test
  void an_idle_worker_picks_up_in_milliseconds_though_jobrunr_polls_every_15_s() {
    Engine engine = start(100, start -> ended(start, new DispatchEnd.Succeeded()));
    var waits = new ArrayList<Long>();
    for (int i = 0; i < 60; i++) {
      long before = System.nanoTime();
      Dispatch dispatch = engine.submit();
      await()
          .pollInterval(Duration.ofMillis(1))
          .atMost(SOON)
          .until(() -> startedAt.containsKey(dispatch.job().value()));
      waits.add((startedAt.getOrDefault(dispatch.job().value(), 0L) - before) / 1_000_000);
    }
    Collections.sort(waits);
    assertThat(waits.get(30)).as("median of %s", waits).isLessThan(75);
    assertThat(waits.getLast()).as("longest of %s", waits).isLessThan(2_000);
  }

  @Test
  void never_more_run_at_once_than_there_are_slots() {
    var now = new AtomicInteger();
    var most = new AtomicInteger();
    Engine engine =
        start(
            5,
            start -> {
              start.slot().take();
              most.accumulateAndGet(now.incrementAndGet(), Math::max);
              var end = new CompletableFuture<DispatchEnd>();
              Thread.ofVirtual()
                  .start(
                      () -> {
                        LockSupport.parkNanos(1);
                        now.decrementAndGet();
                        startedAt.put(start.job().value(), 0L);
                        start.slot().release();
                        end.complete(new DispatchEnd.Succeeded());
                      });
              return end;
            });
    for (int i = 0; i < 300; i++) {
      engine.submit();
    }
    await().atMost(SOON).until(() -> startedAt.size() == 301);
    assertThat(most.get()).isLessThanOrEqualTo(5);
    await().atMost(SOON).until(() -> engine.slots.free() == 5);
  }

  @Test
  void a_scheduled_dispatch_starts_never_early_and_soon_after_its_time() {
    Engine engine = start(100, start -> ended(start, new DispatchEnd.Succeeded()));
    Instant due = Instant.now().plusMillis(700);
    long dueNanos = System.nanoTime() + Duration.between(Instant.now(), due).toNanos();
    Dispatch dispatch = engine.dispatch();
    engine.dispatches.createAt(dispatch, due);
    engine.dispatches.announce(dispatch.job());
    await().atMost(SOON).until(() -> startedAt.containsKey(dispatch.job().value()));
    long late = (startedAt.getOrDefault(dispatch.job().value(), 0L) - dueNanos) / 1_000_000;
    assertThat(late).isBetween(-2L, 1_250L);
  }

  @Test
  void a_failed_run_shows_its_code_and_no_stack_trace_and_is_not_retried() {
    Engine engine = start(10, start -> ended(start, new DispatchEnd.Failed("billing")));
    Dispatch dispatch = engine.submit();
    await().atMost(SOON).until(() -> engine.state(dispatch.id()) == StateName.FAILED);
    Job job = engine.storage.getJobById(dispatch.id());
    FailedState failed = job.getJobState();
    assertThat(failed.getExceptionMessage()).isEqualTo("billing");
    assertThat(failed.getStackTrace()).doesNotContain("\tat ");
  }

  @Test
  void a_cancelled_run_shows_as_deleted() {
    Engine engine = start(10, start -> ended(start, new DispatchEnd.Deleted()));
    Dispatch dispatch = engine.submit();
    await().atMost(SOON).until(() -> engine.state(dispatch.id()) == StateName.DELETED);
  }

  @Test
  void a_run_that_broke_off_is_woken_again() {
    var calls = new AtomicInteger();
    Engine engine =
        start(
            10,
            start -> {
              if (calls.incrementAndGet() == 2) {
                start.slot().take();
                start.slot().release();
                return CompletableFuture.failedFuture(new IllegalStateException("secret words"));
              }
              return ended(start, new DispatchEnd.Succeeded());
            });
    Dispatch dispatch = engine.submit();
    await().atMost(SOON).until(() -> engine.state(dispatch.id()) == StateName.SUCCEEDED);
    assertThat(calls.get()).isEqualTo(3);
    assertThat(json(engine, dispatch)).doesNotContain("secret words");
  }

  private static String json(Engine engine, Dispatch dispatch) {
    return engine
        .database
        .sql()
        .sql("select jobAsJson from jobrunr_jobs where id = :id")
        .param("id", dispatch.id().toString())
        .query(String.class)
        .single();
  }

  @Test
  void jobrunr_stores_nothing_but_ids_names_and_what_the_run_says() {
    Engine engine =
        start(
            10,
            start -> {
              start.log().line("attempt 1: answered");
              return ended(start, new DispatchEnd.Succeeded());
            });
    Dispatch dispatch = engine.submit();
    await().atMost(SOON).until(() -> engine.state(dispatch.id()) == StateName.SUCCEEDED);
    assertThat(json(engine, dispatch))
        .contains("openai/gpt · order-1", "attempt 1: answered", dispatch.job().toString());
  }

  @Test
  void jobrunrs_server_is_started_again_after_it_stopped_itself() {
    Engine engine = start(10, start -> ended(start, new DispatchEnd.Succeeded()));
    for (int i = 0; i < 3; i++) {
      engine.server.stop();
      await().atMost(SOON).until(() -> engine.server.isRunning() && engine.server.isAnnounced());
      Dispatch dispatch = engine.submit();
      await().atMost(SOON).until(() -> engine.state(dispatch.id()) == StateName.SUCCEEDED);
    }
  }

  /** It was left alone: only one that had been announced was started again. */
  @Test
  void jobrunrs_server_is_started_again_after_starts_in_which_it_could_not_be_announced() {
    Engine engine = start(10, start -> ended(start, new DispatchEnd.Succeeded()));
    run(
        engine,
        """
        create sequence refused;
        create function refuse() returns trigger language plpgsql as $$
        begin perform nextval('refused'); raise exception 'not now'; end $$;
        create trigger refuse before insert on jobrunr_backgroundjobservers
          for each row execute function refuse()
        """);
    engine.server.stop();
    await()
        .atMost(SOON)
        .until(
            () ->
                engine
                    .database
                    .sql()
                    .sql("select is_called and last_value > 1 from refused")
                    .query(Boolean.class)
                    .single());
    run(engine, "drop trigger refuse on jobrunr_backgroundjobservers");
    Dispatch dispatch = engine.submit();
    await().atMost(SOON).until(() -> engine.state(dispatch.id()) == StateName.SUCCEEDED);
  }

  @Test
  void work_goes_on_after_all_of_jobrunrs_tables_were_emptied() {
    Engine engine = start(10, start -> ended(start, new DispatchEnd.Succeeded()));
    run(
        engine,
        """
        truncate jobrunr_jobs, jobrunr_backgroundjobservers, jobrunr_metadata, jobrunr_recurring_jobs
        """);
    Dispatch dispatch = engine.submit();
    await().atMost(SOON).until(() -> engine.state(dispatch.id()) == StateName.SUCCEEDED);
    engine.server.stop();
    Dispatch later = engine.submit();
    await().atMost(SOON).until(() -> engine.state(later.id()) == StateName.SUCCEEDED);
  }

  /**
   * A row names the class and the method that JobRunr is to call. One that could not be read
   * stopped all claims.
   */
  @ParameterizedTest
  @EnumSource(names = {"ENQUEUED", "SCHEDULED"})
  void what_is_no_dispatch_of_ours_is_set_aside_and_the_others_are_run(StateName state) {
    Engine engine = start(10, start -> ended(start, new DispatchEnd.Succeeded()));
    Dispatch done = engine.submit();
    await().atMost(SOON).until(() -> engine.state(done.id()) == StateName.SUCCEEDED);
    String ours = json(engine, done);
    long before = engine.storage.setAside();
    List<String> foreign =
        List.of(
            "{",
            "null",
            ours,
            ours.replace(DispatchHandler.class.getName(), "java.lang.System")
                .replace("\"run\"", "\"exit\""),
            ours.replace(RunDispatch.class.getName(), "java.lang.ProcessBuilder"),
            ours.replace("RunDispatch", "RunOfALaterVersion"));
    List<UUID> ids =
        foreign.stream().map(json -> insert(engine, UUID.randomUUID(), json, state)).toList();

    Dispatch dispatch = engine.submit();
    await().atMost(SOON).until(() -> engine.state(dispatch.id()) == StateName.SUCCEEDED);
    await().atMost(SOON).until(() -> engine.storage.setAside() == before + foreign.size());
    for (UUID id : ids) {
      Job job = engine.storage.getJobById(id);
      assertThat(job.getState()).isEqualTo(StateName.FAILED);
      assertThat(job.getJobName()).isEqualTo(ReadDispatches.NOT_OURS);
    }
  }

  private static UUID insert(Engine engine, UUID id, String json, StateName state) {
    engine
        .database
        .sql()
        .sql(
            """
            insert into jobrunr_jobs (id, version, jobAsJson, jobSignature, state, createdAt, updatedAt, scheduledAt)
            values (:id, 1, :json, 'anything', :state, now(), to_timestamp(0), to_timestamp(0))
            """)
        .param("id", id.toString())
        .param("json", json.replaceFirst("\"id\":\"[^\"]*\"", "\"id\":\"" + id + "\""))
        .param("state", state.name())
        .update();
    return id;
  }

  private static void run(Engine engine, String sql) {
    engine.database.sql().sql(sql).update();
  }

  @Test
  void ended_dispatches_are_saved_together_and_each_of_them_once() {
    Engine engine = start(200, start -> ended(start, new DispatchEnd.Succeeded()));
    List<Dispatch> dispatches = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      dispatches.add(engine.submit());
    }
    await()
        .atMost(SOON)
        .until(
            () -> dispatches.stream().allMatch(d -> engine.state(d.id()) == StateName.SUCCEEDED));
    assertThat(dispatches)
        .allMatch(dispatch -> engine.storage.getJobById(dispatch.id()).getVersion() == 3);
  }
}
