package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.app.event.Streams;
import dev.coatcheck.fixture.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OutageTest {
  private static final String BODY = "{\"model\":\"m\",\"prompt\":\"hi\"}";

  /** More than read at once. */
  private static final int STREAMS = 8;

  private final TestDatabase database = TestDatabase.create();
  private final TcpProxy proxy = TcpProxy.before(database);
  private final RunningApp app =
      RunningApp.startOn(database, "spring.datasource.url=" + proxy.jdbcUrl());
  private final Http acme = app.as("acme");

  @AfterEach
  void heal() {
    proxy.heal();
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> acme.get("/v1/jobs").status() == 200 && readiness() == 200);
  }

  @AfterAll
  void stop() {
    proxy.close();
    app.close();
  }

  @Test
  void a_database_that_is_gone_is_told_within_two_seconds() {
    String id = acme.submit(BODY).text("/id");
    proxy.cut();

    isUnavailableInTime(() -> acme.submit(BODY));
    isUnavailableInTime(() -> acme.get("/v1/jobs/" + id));
    isUnavailableInTime(() -> acme.get("/v1/jobs"));
    isUnavailableInTime(() -> acme.post("/v1/jobs/" + id + "/cancel"));
    isUnavailableInTime(() -> new Http(app.port(), "ck_unknown").get("/v1/jobs"));
    Awaitility.await().until(() -> readiness() == 503);
    assertThat(app.anonymous().get("/actuator/health/liveness").status()).isEqualTo(200);
  }

  @Test
  void a_database_that_hangs_is_told_within_two_seconds() {
    String key = UUID.randomUUID().toString();
    String id = acme.submit(BODY).text("/id");
    proxy.hang();

    isUnavailableInTime(() -> acme.submit(key, BODY));
    isUnavailableInTime(() -> acme.get("/v1/jobs/" + id));
    proxy.heal();
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> acme.submit(key, BODY).status() == 202);
    assertThat(
            app.sql()
                .sql("select count(*) from job where idempotency_key = :key")
                .param("key", key)
                .query(Long.class)
                .single())
        .isEqualTo(1);
  }

  @Test
  void who_queues_to_follow_a_job_is_told_within_two_seconds_that_the_database_hangs()
      throws Exception {
    String id = acme.submit(BODY).text("/id");
    String events = "/v1/jobs/" + id + "/events";
    var open = new ArrayList<EventStream>();
    for (int i = 0; i < STREAMS; i++) {
      open.add(acme.stream(events, Map.of()));
      open.getLast().next();
    }
    proxy.hang();
    app.context().getBean(Streams.class).gap();

    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var callers = new ArrayList<Future<?>>();
      for (int i = 0; i < STREAMS; i++) {
        callers.add(threads.submit(() -> isUnavailableInTime(() -> acme.get(events))));
      }
      for (Future<?> caller : callers) {
        caller.get();
      }
    }
    var jobs = new Jobs(app.sql());
    jobs.end(id, "completed");
    jobs.append(id, "job.completed", "{}");
    proxy.heal();

    for (EventStream stream : open) {
      assertThat(stream.rest()).extracting("type").containsExactly("job.completed");
    }
  }

  @Test
  void what_is_refused_is_refused_without_a_database() {
    proxy.cut();

    Problems.assertThat(acme.submit("{")).is(400, "invalid_request");
    Problems.assertThat(app.anonymous().get("/v1/jobs")).is(401, "unauthorized");
    assertThat(app.anonymous().get("/openapi.yaml").status()).isEqualTo(200);
  }

  @Test
  void a_wait_outlives_an_outage() throws Exception {
    String id = acme.submit(BODY).text("/id");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Http.Reply> poll =
          threads.submit(() -> acme.get("/v1/jobs/" + id, Map.of("Prefer", "wait=40")));
      Awaitility.await().until(() -> readiness() == 200);
      proxy.cut();
      Awaitility.await().until(() -> readiness() == 503);
      new Jobs(app.sql()).complete(id, "{\"content\":\"done\"}");
      proxy.heal();

      assertThat(poll.get().text("/status")).isEqualTo("completed");
    }
  }

  @Test
  void a_stream_outlives_an_outage() {
    String id = acme.submit(BODY).text("/id");
    try (EventStream stream = acme.stream("/v1/jobs/" + id + "/events", Map.of())) {
      stream.next();
      proxy.cut();
      Awaitility.await().until(() -> readiness() == 503);
      var jobs = new Jobs(app.sql());
      jobs.end(id, "completed");
      jobs.append(id, "job.completed", "{}");
      proxy.heal();

      assertThat(stream.rest()).extracting("type").containsExactly("job.completed");
    }
  }

  private int readiness() {
    return app.anonymous().get("/actuator/health/readiness").status();
  }

  private static void isUnavailableInTime(Supplier<Http.Reply> call) {
    long start = System.nanoTime();
    Http.Reply reply = call.get();
    Problems.assertThat(reply).is(503, "unavailable");
    assertThat(reply.header("Retry-After")).isEqualTo("1");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(2));
  }
}
