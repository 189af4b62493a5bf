package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.coatcheck.app.event.Waiters;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitTest {
  private static final String BODY = "{\"model\":\"m\",\"prompt\":\"hi\"}";

  private final RunningApp app = RunningApp.shared();
  private final Http acme = app.as("acme");
  private final Jobs jobs = new Jobs(app.sql());
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  @Test
  void a_submit_that_waits_gets_the_ended_job() throws Exception {
    String key = UUID.randomUUID().toString();
    Future<Http.Reply> waiting =
        threads.submit(
            () -> acme.post("/v1/jobs", BODY, Map.of("Idempotency-Key", key, "Prefer", "wait=30")));
    Awaitility.await().until(() -> idOf(key) != null);
    String id = String.valueOf(idOf(key));
    awaitWaiters(1);
    jobs.complete(id, "{\"content\":\"done\"}");
    jobs.tell(id);
    Http.Reply reply = waiting.get();

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text("/output_text")).isEqualTo("done");
    assertThat(reply.header("Preference-Applied")).isEqualTo("wait=30");
    assertThat(reply.header("Idempotent-Replayed")).isEqualTo("false");
  }

  @Test
  void a_submit_whose_wait_runs_out_gets_a_ticket() {
    Http.Reply reply =
        acme.post(
            "/v1/jobs",
            BODY,
            Map.of("Idempotency-Key", UUID.randomUUID().toString(), "Prefer", "wait=1"));

    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.header("Preference-Applied")).isEqualTo("wait=1");
    assertThat(reply.header("Retry-After")).isEqualTo("1");
  }

  @Test
  void waiting_for_an_ended_job_takes_no_time() {
    String key = UUID.randomUUID().toString();
    String id = acme.submit(key, BODY).text("/id");
    jobs.end(id, "failed");

    Http.Reply replay =
        acme.post("/v1/jobs", BODY, Map.of("Idempotency-Key", key, "Prefer", "wait=0"));
    assertThat(replay.status()).isEqualTo(200);
    assertThat(acme.get("/v1/jobs/" + id, Map.of("Prefer", "wait=60")).status()).isEqualTo(200);
  }

  @Test
  void a_long_poll_returns_at_the_end_and_holds_no_connection_meanwhile() throws Exception {
    String id = acme.submit(BODY).text("/id");
    var polls = new ArrayList<Future<Http.Reply>>();
    for (int i = 0; i < 40; i++) {
      polls.add(threads.submit(() -> acme.get("/v1/jobs/" + id, Map.of("Prefer", "wait=30"))));
    }
    awaitWaiters(40);
    var pool = app.context().getBean("webPool", HikariDataSource.class);
    Awaitility.await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);

    jobs.complete(id, "{\"content\":\"done\"}");
    jobs.tell(id);
    for (Future<Http.Reply> poll : polls) {
      assertThat(poll.get().text("/status")).isEqualTo("completed");
      assertThat(poll.get().status()).isEqualTo(200);
      assertThat(poll.get().header("Preference-Applied")).isEqualTo("wait=30");
    }
  }

  @Test
  void a_wait_ends_when_the_job_needs_somebody() throws Exception {
    String id = acme.submit(BODY).text("/id");
    Future<Http.Reply> poll =
        threads.submit(() -> acme.get("/v1/jobs/" + id, Map.of("Prefer", "wait=30")));
    awaitWaiters(1);
    jobs.set(id, "status = 'requires_action', reason_code = 'awaiting_approval'");
    jobs.tell(id);

    assertThat(poll.get().text("/status")).isEqualTo("requires_action");
    assertThat(poll.get().text("/status_reason/code")).isEqualTo("awaiting_approval");
  }

  @Test
  void a_change_that_is_no_end_goes_on_waiting() throws Exception {
    String id = acme.submit(BODY).text("/id");
    Future<Http.Reply> poll =
        threads.submit(() -> acme.get("/v1/jobs/" + id, Map.of("Prefer", "wait=2")));
    awaitWaiters(1);
    jobs.set(id, "status = 'in_progress'");
    jobs.tell(id);

    assertThat(poll.get().status()).isEqualTo(200);
    assertThat(poll.get().text("/status")).isEqualTo("in_progress");
  }

  @Test
  void waiting_for_an_unknown_job_takes_no_time() {
    Problems.assertThat(acme.get("/v1/jobs/" + UUID.randomUUID(), Map.of("Prefer", "wait=60")))
        .is(404, "job_not_found");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "wait=0 | wait=0",
        "WAIT=0 | wait=0",
        "wait=\"0\" | wait=0",
        "respond-async, wait=0 | wait=0",
        "wait = 0; foo=bar | wait=0",
        "wait=00 | wait=0",
        "wait | ''",
        "wait=x | ''",
        "wait=-1 | ''",
        "wait=1.5 | ''",
        "return=minimal | ''"
      })
  void preferences_are_read_leniently(String prefer, String applied) {
    String id = acme.submit(BODY).text("/id");
    Http.Reply reply = acme.get("/v1/jobs/" + id, Map.of("Prefer", prefer));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("Preference-Applied")).isEqualTo(applied);
  }

  @ParameterizedTest
  @CsvSource({"60, 60", "61, 60", "99999999999999999999, 60"})
  void a_long_wait_is_cut_to_sixty_seconds(String asked, String applied) {
    String id = acme.submit(BODY).text("/id");
    jobs.end(id, "completed");

    assertThat(
            acme.get("/v1/jobs/" + id, Map.of("Prefer", "wait=" + asked))
                .header("Preference-Applied"))
        .isEqualTo("wait=" + applied);
  }

  private void awaitWaiters(int count) {
    Waiters waiters = app.context().getBean(Waiters.class);
    Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> waiters.count() == count);
  }

  private @Nullable String idOf(String key) {
    return app.sql()
        .sql("select id::text from job where idempotency_key = :key")
        .param("key", key)
        .query(String.class)
        .optional()
        .orElse(null);
  }
}
