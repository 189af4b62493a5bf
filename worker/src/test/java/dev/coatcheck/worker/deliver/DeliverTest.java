package dev.coatcheck.worker.deliver;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.worker.raw.Conversation;
import dev.coatcheck.worker.raw.RawServer;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Timeout(90)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeliverTest {
  private static final String LONG_OUTPUT = "{\"content\":\"" + "x".repeat(20_000) + "\"}";

  private final DeliveryRig rig = DeliveryRig.usual();
  private RawServer endpoint = server();

  @AfterAll
  void stop() {
    rig.close();
  }

  @BeforeEach
  void open() {
    endpoint = server();
  }

  @AfterEach
  void close() throws IOException {
    endpoint.close();
  }

  @Test
  void an_end_is_told_and_signed_by_every_secret() throws Exception {
    JobId job = rig.ended(url("/hook?a=b"));
    Map<String, @Nullable Object> delivery = rig.awaitState(job, "delivered", 1);

    Conversation.Request request = onlyRequest();
    assertThat(request.line()).isEqualTo("POST /hook?a=b HTTP/1.1");
    assertThat(request.header("content-type")).contains("application/json");
    for (String secret : List.of(DeliveryRig.SECRET, DeliveryRig.OLD_SECRET)) {
      new Webhook(secret).verify(request.body(), headers(request));
    }
    assertThatThrownBy(
            () -> new Webhook(DeliveryRig.SECRET).verify(request.body() + " ", headers(request)))
        .isInstanceOf(WebhookVerificationException.class);

    JsonNode event = JsonMapper.shared().readTree(request.body());
    assertThat(event.propertyNames()).containsExactly("id", "object", "type", "created_at", "data");
    assertThat(event.at("/id").asString())
        .startsWith("evt_")
        .isEqualTo(delivery.get("event_id"))
        .isEqualTo(request.header("webhook-id").orElseThrow());
    assertThat(event.at("/object").asString()).isEqualTo("event");
    assertThat(event.at("/type").asString()).isEqualTo("job.completed");
    assertThat(event.at("/created_at").isIntegralNumber()).isTrue();
    assertThat(event.at("/data").toString()).isEqualTo("{\"id\":\"" + job + "\"}");
    assertThat(rig.tries(job))
        .singleElement()
        .satisfies(
            row -> assertThat(row).containsEntry("http_status", 200).containsEntry("error", null));
  }

  @Test
  void the_dashboard_shows_it_by_its_event_and_host() {
    JobId job = rig.ended(url("/"));
    rig.awaitState(job, "delivered", 1);
    var shown =
        rig.sql
            .sql("select jobAsJson from jobrunr_jobs where jobSignature like '%RunDelivery%'")
            .query(String.class)
            .list();
    assertThat(shown)
        .anySatisfy(
            json -> assertThat(json).contains("webhook · job.completed · 127.0.0.1", "default"));
    assertThat(shown).allSatisfy(json -> assertThat(json).doesNotContain("hello", "whsec_"));
  }

  @Test
  void an_output_goes_along_as_the_provider_spelt_it_unless_it_is_long() {
    String message = "{\"role\": \"assistant\",\"content\":\"\\ud800 é\",\"n\":1.0}";
    JobId carried = rig.job(url("/"), true, message);
    rig.end(carried, "incomplete");
    rig.awaitState(carried, "delivered", 1);
    JobId tooLong = rig.job(url("/"), true, LONG_OUTPUT);
    rig.end(tooLong, "completed");
    rig.awaitState(tooLong, "delivered", 1);
    JobId without = rig.job(url("/"), true, message);
    rig.end(without, "failed");
    rig.awaitState(without, "delivered", 1);

    assertThat(bodyOf(carried))
        .endsWith(",\"output\":" + message + "}}")
        .contains("job.incomplete");
    assertThat(bodyOf(tooLong)).endsWith("\"data\":{\"id\":\"" + tooLong + "\"}}");
    assertThat(bodyOf(without)).endsWith("\"data\":{\"id\":\"" + without + "\"}}");
  }

  @Test
  void a_failure_is_tried_again_under_the_same_id_with_a_new_time() {
    endpoint.play(
        conversation -> conversation.answer(500, "no"),
        conversation -> conversation.hangUp(),
        conversation -> conversation.answer(204, ""));
    JobId job = rig.ended(url("/"));
    assertThat(untilNext(rig.awaitState(job, "pending", 1))).isBetween(3.5, 5.6);
    rig.bringForward(job);
    assertThat(untilNext(rig.awaitState(job, "pending", 2))).isBetween(298.0, 331.0);
    rig.bringForward(job);
    rig.awaitState(job, "delivered", 3);

    assertThat(endpoint.requests()).hasSize(3);
    assertThat(endpoint.requests().stream().map(r -> r.header("webhook-id")).distinct()).hasSize(1);
    assertThat(endpoint.requests().stream().map(Conversation.Request::body).distinct()).hasSize(1);
    assertThat(rig.tries(job))
        .extracting(row -> row.get("http_status"), row -> row.get("error"))
        .containsExactly(
            tuple(500, "the endpoint answered 500"),
            tuple(null, "the connection broke off before the whole answer"),
            tuple(204, null));
  }

  @Test
  void a_pause_that_the_endpoint_asks_for_is_kept() {
    endpoint.play(conversation -> conversation.answer(503, "", "Retry-After: 120"));
    assertThat(untilNext(rig.awaitState(rig.ended(url("/")), "pending", 1)))
        .isBetween(118.0, 121.0);
  }

  @Test
  void no_connection_of_the_database_is_held_while_an_endpoint_is_waited_for() {
    endpoint.otherwise(
        conversation -> {
          rig.sql.sql("select pg_sleep(0.3)").query((row, number) -> true).single();
          conversation.answer(200, "");
        });
    rig.awaitState(rig.ended(url("/")), "delivered", 1);
    assertThat(rig.connections().calls()).isPositive();
    rig.connections().assertNoneHeldDuringCalls();
  }

  @Test
  void gone_is_the_end_of_it() {
    endpoint.otherwise(conversation -> conversation.answer(410, ""));
    JobId job = rig.ended(url("/"));
    assertThat(rig.awaitState(job, "dead", 1)).containsEntry("next_at", null);
    assertThat(endpoint.requests()).hasSize(1);
  }

  @Test
  void after_the_tenth_failure_it_is_dead() {
    endpoint.otherwise(conversation -> conversation.answer(500, ""));
    JobId job = rig.ended(url("/"));
    for (int failures = 1; failures < 10; failures++) {
      rig.awaitState(job, "pending", failures);
      rig.bringForward(job);
    }
    rig.awaitState(job, "dead", 10);
    assertThat(endpoint.requests()).hasSize(10);
  }

  @ParameterizedTest
  @CsvSource({"301", "302", "307", "308"})
  void redirects_are_not_followed(int status) throws IOException {
    try (RawServer inside = server()) {
      endpoint.otherwise(
          conversation ->
              conversation.answer(status, "", "Location: http://127.0.0.1:" + inside.port() + "/"));
      JobId job = rig.ended(url("/"));
      rig.awaitState(job, "pending", 1);
      assertThat(inside.connections()).isZero();
      assertThat(rig.tries(job).getFirst()).containsEntry("http_status", status);
    }
  }

  @Test
  void of_an_answer_without_end_only_the_beginning_is_read() {
    endpoint.otherwise(
        conversation -> {
          conversation.write(Conversation.head(200, "Transfer-Encoding: chunked"));
          for (int chunk = 0; chunk < 1_000_000; chunk++) {
            conversation.write("1000\r\n" + "x".repeat(0x1000) + "\r\n");
          }
        });
    rig.awaitState(rig.ended(url("/")), "delivered", 1);
  }

  @Test
  void an_answer_that_was_cut_short_was_sent_again_though_its_status_was_told() {
    endpoint.otherwise(
        conversation -> {
          conversation.write(Conversation.head(200, "Content-Length: 100") + "half");
          conversation.hangUp();
        });
    rig.awaitState(rig.ended(url("/")), "delivered", 1);
    assertThat(endpoint.requests()).hasSize(1);
  }

  @Test
  void nobody_there_is_a_failure() throws IOException {
    endpoint.close();
    JobId job = rig.ended(url("/"));
    rig.awaitState(job, "pending", 1);
    assertThat(rig.tries(job).getFirst())
        .containsEntry("http_status", null)
        .containsEntry("error", "the connection was refused");
  }

  @Test
  void an_address_that_webhooks_may_not_reach_is_not_called() {
    JobId job = rig.ended("http://169.254.169.254/latest/meta-data");
    rig.awaitState(job, "pending", 1);
    assertThat(String.valueOf(rig.tries(job).getFirst().get("error"))).contains("may not reach");
  }

  @Test
  void an_action_that_is_required_is_told_too() {
    JobId job = rig.job(url("/"), true, "{\"content\":\"hi\"}");
    rig.sql
        .sql("update job set status = 'requires_action' where id = :id")
        .param("id", job.value())
        .update();
    rig.awaitState(job, "delivered", 1);
    assertThat(onlyRequest().body()).contains("job.requires_action").doesNotContain("output");
  }

  @Test
  void two_workers_send_each_event_once() {
    try (DeliveryRig second = rig.second()) {
      assertThat(second.database).isSameAs(rig.database);
      List<JobId> jobs = Stream.generate(() -> rig.ended(url("/"))).limit(60).toList();
      jobs.forEach(job -> rig.awaitState(job, "delivered", 1));
      assertThat(endpoint.requests()).hasSize(60);
      assertThat(endpoint.requests().stream().map(r -> r.header("webhook-id")).distinct())
          .hasSize(60);
    }
  }

  private String bodyOf(JobId job) {
    return endpoint.requests().stream()
        .map(Conversation.Request::body)
        .filter(body -> body.contains(job.toString()))
        .findFirst()
        .orElseThrow();
  }

  private Conversation.Request onlyRequest() {
    assertThat(endpoint.requests()).hasSize(1);
    return endpoint.requests().getFirst();
  }

  private static double untilNext(Map<String, @Nullable Object> delivery) {
    return ((Number) requireNonNull(delivery.get("until_next"))).doubleValue();
  }

  private static Map<String, List<String>> headers(Conversation.Request request) {
    var map = new HashMap<String, List<String>>();
    for (String name : List.of("webhook-id", "webhook-timestamp", "webhook-signature")) {
      map.put(name, List.of(request.header(name).orElseThrow()));
    }
    return map;
  }

  private String url(String path) {
    return "http://127.0.0.1:" + endpoint.port() + path;
  }

  private static RawServer server() {
    try {
      return RawServer.start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
