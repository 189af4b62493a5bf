package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.coatcheck.app.event.Streams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class EventsTest {
  private static final String BODY = "{\"model\":\"m\",\"prompt\":\"hi\"}";
  private static final String END = "{\"status\":\"completed\"}";

  private final RunningApp app = RunningApp.shared();
  private final Http acme = app.as("acme");
  private final Jobs jobs = new Jobs(app.sql());
  private final Streams streams = app.context().getBean(Streams.class);
  private final String id = acme.submit(BODY).text("/id");

  @AfterEach
  void allStreamsEnd() {
    app.sql().sql("delete from job").update();
    app.sql().sql("select pg_notify('coatcheck_changed', '')").query((row, n) -> true).single();
  }

  private EventStream follow(Map<String, String> headers) {
    return acme.stream("/v1/jobs/" + id + "/events", headers);
  }

  private void complete() {
    jobs.end(id, "completed");
    jobs.append(id, "job.completed", END);
    jobs.tell(id);
  }

  @Test
  void a_stream_tells_what_was_and_what_comes_and_closes_at_the_end() {
    try (EventStream stream = follow(Map.of())) {
      assertThat(stream.status()).isEqualTo(200);
      assertThat(stream.header("Content-Type")).isEqualTo("text/event-stream");
      assertThat(stream.header("Cache-Control")).isEqualTo("no-store");
      EventStream.Event queued = stream.next();
      assertThat(queued).hasToString("1 job.queued");
      assertThat(queued.json().at("/type").asString()).isEqualTo("job.queued");
      assertThat(queued.json().at("/sequence_number").intValue()).isEqualTo(1);
      assertThat(queued.json().at("/status").asString()).isEqualTo("queued");
      assertThat(queued.json().at("/status_reason/code").asString()).isEqualTo("ready");
      assertThat(queued.json().at("/created_at").asString()).matches("\\d{4}-.*\\.\\d{3}Z");

      jobs.append(id, "job.in_progress", "{}");
      jobs.tellOfEvents(id);
      assertThat(stream.next()).hasToString("2 job.in_progress");
      complete();
      assertThat(stream.rest()).extracting("type").containsExactly("job.completed");
    }
  }

  @Test
  void a_new_job_that_is_scheduled_says_until_when() {
    String later =
        acme.submit("{\"model\":\"m\",\"prompt\":\"p\",\"not_before\":\"2026-12-20T00:00:00Z\"}")
            .text("/id");
    try (EventStream stream = acme.stream("/v1/jobs/" + later + "/events", Map.of())) {
      assertThat(stream.next().json().at("/status_reason").toString())
          .isEqualTo("{\"code\":\"scheduled\",\"until\":\"2026-12-20T00:00:00.000Z\"}");
    }
  }

  @Test
  void whoever_comes_back_gets_what_he_missed() {
    jobs.append(id, "job.in_progress", "{}");
    complete();

    assertThat(follow(Map.of()).rest()).extracting("id").containsExactly("1", "2", "3");
    assertThat(follow(Map.of("Last-Event-ID", "0")).rest()).hasSize(3);
    assertThat(follow(Map.of("Last-Event-ID", "1")).rest())
        .extracting("id")
        .containsExactly("2", "3");
    assertThat(follow(Map.of("Last-Event-ID", "2")).rest()).extracting("id").containsExactly("3");
    EventStream none = follow(Map.of("Last-Event-ID", "3"));
    assertThat(none.status()).isEqualTo(204);
    assertThat(none.rest()).isEmpty();
  }

  @Test
  void the_newest_event_of_an_open_job_is_waited_behind() {
    try (EventStream stream = follow(Map.of("Last-Event-ID", "1"))) {
      assertThat(stream.status()).isEqualTo(200);
      Awaitility.await().until(() -> streams.count() > 0);
      complete();
      assertThat(stream.next()).hasToString("2 job.completed");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "-1", "1.0", "01", "+1", "2", "99999999999999999999", "1, 1"})
  void an_event_that_the_job_does_not_have_is_refused(String last) {
    Http.Reply reply = acme.get("/v1/jobs/" + id + "/events", Map.of("Last-Event-ID", last));

    Problems.assertThat(reply).is(400, "invalid_request").at("Last-Event-ID");
  }

  @ParameterizedTest
  @ValueSource(strings = {"application/json", "text/html"})
  void a_caller_who_takes_no_event_stream_is_told(String accept) {
    Problems.assertThat(acme.get("/v1/jobs/" + id + "/events", Map.of("Accept", accept)))
        .is(406, "not_acceptable");
  }

  @ParameterizedTest
  @ValueSource(strings = {"*/*", "text/*", "text/event-stream, application/json;q=0.5"})
  void a_caller_who_takes_anything_gets_an_event_stream(String accept) {
    complete();

    assertThat(acme.get("/v1/jobs/" + id + "/events", Map.of("Accept", accept)).body())
        .startsWith("retry: 1000\n\nid: 1\nevent: job.queued\ndata: {\"type\":\"job.queued\",")
        .endsWith("\"status\":\"completed\"}\n\n");
  }

  @Test
  void a_job_of_others_or_of_nobody_is_not_found() {
    Problems.assertThat(app.as("umbrella").get("/v1/jobs/" + id + "/events"))
        .is(404, "job_not_found");
    Problems.assertThat(acme.get("/v1/jobs/" + UUID.randomUUID() + "/events"))
        .is(404, "job_not_found");
    Problems.assertThat(acme.get("/v1/jobs/x/events")).is(404, "job_not_found");
    Problems.assertThat(app.anonymous().get("/v1/jobs/" + id + "/events")).is(401, "unauthorized");
  }

  @Test
  void a_head_asks_for_no_stream() {
    Http.Reply reply = acme.method("HEAD", "/v1/jobs/" + id + "/events");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("Content-Type")).isEqualTo("text/event-stream");
    assertThat(reply.body()).isEmpty();
  }

  @Test
  void many_and_large_events_come_whole_and_in_order() {
    String text = "x".repeat(5_000);
    for (int i = 2; i <= 40; i++) {
      jobs.append(id, "output.delta", "{\"text\":\"" + text + "\"}");
    }
    jobs.append(id, "output.delta", "{\"text\":\"" + "y".repeat(100_000) + "\"}");
    for (int i = 42; i <= 300; i++) {
      jobs.append(id, "output.delta", "{\"text\":\"\\u0000 \\ud800 ü\"}");
    }
    complete();

    var all = follow(Map.of()).rest();
    assertThat(all)
        .extracting("id")
        .containsExactlyElementsOf(
            IntStream.rangeClosed(1, 301).mapToObj(Integer::toString).toList());
    assertThat(all.get(40).json().at("/text").asString()).hasSize(100_000);
    assertThat(all.get(41).data()).endsWith(",\"text\":\"\\u0000 \\ud800 ü\"}");
  }

  @Test
  void open_streams_hold_no_connection_and_all_are_told() {
    var followers = new ArrayList<EventStream>();
    for (int i = 0; i < 100; i++) {
      followers.add(follow(Map.of()));
    }
    followers.forEach(stream -> assertThat(stream.next()).hasToString("1 job.queued"));
    var pool = app.context().getBean("webPool", HikariDataSource.class);
    Awaitility.await().until(() -> pool.getHikariPoolMXBean().getActiveConnections() == 0);

    complete();
    followers.forEach(
        stream -> assertThat(stream.rest()).extracting("type").containsExactly("job.completed"));
    Awaitility.await().until(() -> streams.count() == 0);
  }

  @Test
  void a_caller_who_leaves_frees_his_place() {
    EventStream stream = follow(Map.of());
    stream.next();
    stream.close();

    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () -> {
              jobs.append(id, "job.in_progress", "{}");
              jobs.tellOfEvents(id);
              return streams.count() == 0;
            });
  }

  @Test
  void a_job_says_where_its_events_are() {
    assertThat(acme.get("/v1/jobs/" + id).text("/links/events"))
        .isEqualTo("/v1/jobs/" + id + "/events");
  }
}
