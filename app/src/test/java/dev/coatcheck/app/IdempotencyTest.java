package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyTest {
  private static final String BODY = "{\"model\":\"m\",\"prompt\":\"hi\"}";

  private final RunningApp app = RunningApp.shared();
  private final Http acme = app.as("acme");
  private final String key = UUID.randomUUID().toString();

  @Test
  void a_repeat_gets_the_same_job() {
    Http.Reply first = acme.submit(key, BODY);
    Http.Reply second = acme.submit(key, BODY);

    assertThat(second.status()).isEqualTo(202);
    assertThat(second.header("Idempotent-Replayed")).isEqualTo("true");
    assertThat(second.header("Location")).isEqualTo(first.header("Location"));
    assertThat(second.text("/id")).isEqualTo(first.text("/id"));
  }

  @Test
  void a_repeat_shows_the_job_as_it_stands_even_ended() {
    String id = acme.submit(key, BODY).text("/id");
    new Jobs(app.sql()).end(id, "completed");
    Http.Reply second = acme.submit(key, BODY);

    assertThat(second.status()).isEqualTo(202);
    assertThat(second.text("/status")).isEqualTo("completed");
    assertThat(second.header("Retry-After")).isEmpty();
  }

  @Test
  void fifty_submits_at_once_make_one_job() throws Exception {
    var replies = new ArrayList<Http.Reply>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Http.Reply> submit = () -> acme.submit(key, BODY);
      List<Future<Http.Reply>> futures = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        futures.add(threads.submit(submit));
      }
      for (Future<Http.Reply> future : futures) {
        replies.add(future.get());
      }
    }

    assertThat(replies).extracting(Http.Reply::status).containsOnly(202);
    assertThat(replies)
        .extracting(reply -> reply.text("/id"))
        .containsOnly(replies.getFirst().text("/id"));
    assertThat(replies)
        .filteredOn(reply -> reply.header("Idempotent-Replayed").equals("false"))
        .hasSize(1);
    assertThat(
            app.sql()
                .sql("select count(*) from job where idempotency_key = :key")
                .param("key", key)
                .query(Long.class)
                .single())
        .isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        " { \"prompt\" :\n\"h\\u0069\" , \"params\":{\"b\":[1,2],\"a\":1.0}, \"model\":\"m\" } ",
        "{\"model\":\"m\",\"prompt\":\"hi\",\"params\":{\"a\":1,\"b\":[1,2]}}",
        "{\"model\":\"m\",\"prompt\":\"hi\",\"params\":{\"a\":1e0,\"b\":[10e-1,0.2E+1]}}",
        "{\"model\":\"m\",\"prompt\":\"hi\",\"params\":{\"a\":1.000,\"b\":[1,2.00]}}"
      })
  void spelling_does_not_count(String body) {
    String first =
        acme.submit(key, "{\"model\":\"m\",\"prompt\":\"hi\",\"params\":{\"a\":1,\"b\":[1,2]}}")
            .text("/id");

    assertThat(acme.submit(key, body).text("/id")).isEqualTo(first);
  }

  @Test
  void another_body_is_refused_and_told_where_it_differs() {
    String first =
        acme.submit(
                key,
                """
                {"model":"m","messages":[{"role":"user","content":"secret-1"}],
                 "params":{"temperature":0,"stop":["a"]},"metadata":{"a":"1"}}
                """)
            .text("/id");
    Http.Reply reply =
        acme.submit(
            key,
            """
            {"model":"m","messages":[{"role":"user","content":"secret-2"},{"role":"user"}],
             "params":{"temperature":0.5,"stop":["a"]},"budget":{"deadline":"PT1M"}}
            """);

    Problems.assertThat(reply).is(422, "idempotency_key_reused");
    assertThat(reply.text("/job_id")).isEqualTo(first);
    var differs = new ArrayList<String>();
    reply.json().at("/differs").forEach(path -> differs.add(path.asString()));
    assertThat(differs)
        .containsExactlyInAnyOrder(
            "messages[0].content", "messages[1]", "params.temperature", "budget", "metadata");
    assertThat(reply.body()).doesNotContain("secret");
  }

  @Test
  void order_in_arrays_and_lone_surrogates_count() {
    acme.submit(key, "{\"model\":\"m\",\"prompt\":\"\\ud800\",\"params\":{\"a\":[1,2]}}");

    Http.Reply reply =
        acme.submit(key, "{\"model\":\"m\",\"prompt\":\"\\ud801\",\"params\":{\"a\":[2,1]}}");
    Problems.assertThat(reply).is(422, "idempotency_key_reused");
    assertThat(reply.json().at("/differs").toString())
        .isEqualTo("[\"params.a[0]\",\"params.a[1]\",\"prompt\"]");
  }

  @Test
  void a_key_stands_for_a_job_of_its_own_in_each_tenant() {
    Http umbrella = app.as("umbrella");
    String other = "{\"model\":\"m\",\"prompt\":\"theirs\"}";
    String ours = acme.submit(key, BODY).text("/id");
    Http.Reply theirs = umbrella.submit(key, other);

    assertThat(theirs.status()).isEqualTo(202);
    assertThat(theirs.header("Idempotent-Replayed")).isEqualTo("false");
    assertThat(theirs.text("/id")).isNotEqualTo(ours);
    assertThat(acme.submit(key, BODY).text("/id")).isEqualTo(ours);
    assertThat(umbrella.submit(key, other).text("/id")).isEqualTo(theirs.text("/id"));
    Http.Reply reused = umbrella.submit(key, BODY);
    Problems.assertThat(reused).is(422, "idempotency_key_reused");
    assertThat(reused.text("/job_id")).isEqualTo(theirs.text("/id"));
  }

  @Test
  void after_an_erase_only_the_fingerprint_is_compared() {
    String id = acme.submit(key, BODY).text("/id");
    app.sql()
        .sql("delete from job_request where job_id = :id")
        .param("id", UUID.fromString(id))
        .update();

    assertThat(acme.submit(key, BODY).text("/id")).isEqualTo(id);
    Http.Reply reply = acme.submit(key, "{\"model\":\"m\",\"prompt\":\"other\"}");
    Problems.assertThat(reply).is(422, "idempotency_key_reused");
    assertThat(reply.json().has("differs")).isFalse();
  }

  @Test
  void the_key_is_required() {
    Problems.assertThat(acme.post("/v1/jobs", BODY, Map.of())).is(400, "idempotency_key_missing");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\"\"", "a b", "\"a b\"", "\"open", "\"a\"b\"", "a\tb"})
  void a_key_is_visible_ascii(String value) {
    Problems.assertThat(acme.submit(value, BODY)).is(400, "idempotency_key_invalid");
  }

  @Test
  void a_key_has_up_to_255_characters() {
    assertThat(acme.submit(key + "k".repeat(255 - key.length()), BODY).status()).isEqualTo(202);
    Problems.assertThat(acme.submit("k".repeat(256), BODY)).is(400, "idempotency_key_invalid");
  }

  @Test
  void quotes_are_no_part_of_the_key() {
    String first = acme.submit(key, BODY).text("/id");

    assertThat(acme.submit("\"" + key + "\"", BODY).text("/id")).isEqualTo(first);
    assertThat(acme.submit("\"" + key + "\\\\\\\"\"", BODY).text("/idempotency_key"))
        .isEqualTo(key + "\\\"");
  }

  @Test
  void two_keys_are_no_key() {
    Http.Reply reply =
        acme.send(
            acme.request("/v1/jobs")
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", "one")
                .header("Idempotency-Key", "two")
                .POST(BodyPublishers.ofString(BODY)));

    Problems.assertThat(reply).is(400, "idempotency_key_invalid");
  }

  @Test
  void a_refused_submit_does_not_use_the_key_up() {
    acme.submit(key, "{\"model\":\"m\"}");
    acme.submit(key, "{");

    assertThat(acme.submit(key, BODY).header("Idempotent-Replayed")).isEqualTo("false");
  }

  @Test
  void another_tenants_key_is_another_key() {
    String ours = acme.submit(key, BODY).text("/id");
    Http.Reply theirs = app.as("umbrella").submit(key, "{\"model\":\"m\",\"prompt\":\"x\"}");

    assertThat(theirs.status()).isEqualTo(202);
    assertThat(theirs.header("Idempotent-Replayed")).isEqualTo("false");
    assertThat(theirs.text("/id")).isNotEqualTo(ours);
  }
}
