package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobResourceTest {
  private final RunningApp app = RunningApp.shared();
  private final Http acme = app.as("acme");
  private final Jobs jobs = new Jobs(app.sql());
  private String id = "";

  @BeforeEach
  void submit() {
    id = acme.submit("{\"model\":\"m\",\"prompt\":\"hi\"}").text("/id");
  }

  @Test
  void a_resource_has_these_members_in_this_order() {
    assertThat(get().json().propertyNames())
        .containsExactly(
            "id",
            "object",
            "status",
            "status_reason",
            "model",
            "metadata",
            "idempotency_key",
            "created_at",
            "started_at",
            "ended_at",
            "deadline_at",
            "output_text",
            "output",
            "finish_reason",
            "error",
            "usage",
            "attempts",
            "attempts_total",
            "tool_calls",
            "links");
    assertThat(get().json().at("/links").toString())
        .isEqualTo(
            "{\"self\":\"/v1/jobs/%1$s\",\"cancel\":\"/v1/jobs/%1$s/cancel\",\"events\":\"/v1/jobs/%1$s/events\"}"
                .formatted(id));
    assertThat(get().json().at("/usage").toString())
        .isEqualTo(
            "{\"input\":0,\"input_cached\":0,\"cache_write\":0,\"output\":0,\"reasoning\":0}");
    assertThat(get().text("/created_at"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
  }

  @Test
  void a_completed_job_shows_its_message_as_the_provider_sent_it() {
    String message =
        "{\"role\":\"assistant\", \"content\":\"caf\\u00e9 \\ud800\\u0000 é\",\"n\":1.50}";
    jobs.complete(id, message);
    Http.Reply job = get();

    assertThat(job.text("/status")).isEqualTo("completed");
    assertThat(job.text("/finish_reason")).isEqualTo("stop");
    assertThat(job.body()).contains("\"output\":" + message);
    assertThat(job.body()).contains("\"output_text\":\"café \\ud800\\u0000 é\"");
    assertThat(job.json().at("/error").isNull()).isTrue();
    assertThat(job.json().at("/status_reason").isNull()).isTrue();
    assertThat(job.header("Retry-After")).isEmpty();
    assertThat(job.json().at("/ended_at").isNull()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"content\":\"a\"} | \"a\"",
        "{\"content\":\"\"} | \"\"",
        "{\"content\":null} | null",
        "{\"tool_calls\":[]} | null",
        "{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image\"},{\"type\":\"text\",\"text\":\"b\"}]} | \"ab\"",
        "{\"content\":[]} | null",
        "{\"content\":{\"text\":\"a\"}} | null"
      })
  void the_text_is_the_messages_content(String message, String text) {
    jobs.complete(id, message);

    assertThat(get().json().at("/output_text").toString()).isEqualTo(text);
  }

  @Test
  void usage_is_the_sum_over_all_attempts() {
    jobs.attempt(id, 1, "indeterminate", "usage_input = 7, ended_at = now()");
    jobs.attempt(
        id,
        2,
        "answered",
        """
        usage_input = 10, usage_input_cached = 3, usage_cache_write = 2, usage_output = 20,
        usage_reasoning = 5, billed = 'yes', ended_at = now()
        """);

    assertThat(get().json().at("/usage").toString())
        .isEqualTo(
            "{\"input\":17,\"input_cached\":3,\"cache_write\":2,\"output\":20,\"reasoning\":5}");
  }

  @Test
  void attempts_are_the_ledger() {
    jobs.attempt(
        id,
        1,
        "refused",
        """
        sent_at = '2026-11-29T20:00:00Z', ended_at = '2026-11-29T20:00:01.5Z', http_status = 429,
        error_code = 'rate_limited', retry_after_ms = 30000, billed = 'no',
        provider_request_id = 'req_1'
        """);

    assertThat(get().json().at("/attempts/0").toString())
        .isEqualTo(
            "{\"number\":1,\"turn\":1,\"state\":\"refused\",\"sent_at\":\"2026-11-29T20:00:00.000Z\","
                + "\"ended_at\":\"2026-11-29T20:00:01.500Z\",\"http_status\":429,"
                + "\"error_code\":\"rate_limited\",\"retry_after_ms\":30000,\"billed\":\"no\","
                + "\"provider_request_id\":\"req_1\"}");
  }

  @Test
  void the_newest_200_attempts_are_shown_and_all_are_counted() {
    app.sql()
        .sql(
            """
            insert into attempt (job_id, number, tenant_id, turn, epoch, state, usage_input)
            select :id, n, 'acme', 1, 0, 'refused', 1 from generate_series(1, 250) as n
            """)
        .param("id", UUID.fromString(id))
        .update();
    var numbers = new ArrayList<Integer>();
    get().json().at("/attempts").forEach(attempt -> numbers.add(attempt.at("/number").intValue()));

    assertThat(numbers).hasSize(200).startsWith(51).endsWith(250).isSorted();
    assertThat(get().json().at("/attempts_total").intValue()).isEqualTo(250);
    assertThat(get().json().at("/usage/input").intValue()).isEqualTo(250);
  }

  @Test
  void a_failed_job_says_why() {
    jobs.end(id, "failed");
    jobs.set(
        id,
        """
        error_code = 'attempts_exhausted', error_message = 'openai answered 503',
        upstream_status = 503, upstream_code = 'overloaded', upstream_request_id = 'req_9'
        """);

    assertThat(get().json().at("/error").toString())
        .isEqualTo(
            "{\"code\":\"attempts_exhausted\",\"message\":\"openai answered 503\",\"retryable\":true,"
                + "\"upstream\":{\"provider\":\"openai\",\"http_status\":503,\"code\":\"overloaded\","
                + "\"request_id\":\"req_9\"}}");
  }

  @ParameterizedTest
  @CsvSource({
    "attempts_exhausted, 500, true",
    "retry_after_too_long, 429, true",
    "deadline_exceeded, , true",
    "invalid_response, 200, true",
    "provider_error, 501, false",
    "provider_auth, 401, false",
    "billing, 402, false",
    "model_unknown, 404, false",
    "request_too_large, 413, false",
    "context_too_long, 400, false",
    "content_filtered, 400, false",
    "invalid_request, 400, false",
    "poisoned, , false",
    "turn_limit, , false"
  })
  void retryable_is_the_tables_word(String code, String upstreamStatus, boolean retryable) {
    jobs.end(id, "failed");
    jobs.set(
        id,
        "error_code = '%s', error_message = 'x', upstream_status = %s"
            .formatted(code, upstreamStatus == null ? "null" : upstreamStatus));

    assertThat(get().json().at("/error/retryable").booleanValue()).isEqualTo(retryable);
    assertThat(get().json().at("/error/upstream").isNull()).isEqualTo(upstreamStatus == null);
  }

  /** A redirect, or a 200 without a body, would come again. */
  @Test
  void retryable_is_the_rows_word_where_it_has_one() {
    jobs.end(id, "failed");
    jobs.set(
        id,
        "error_code = 'invalid_response', error_retryable = false, error_message = 'x',"
            + " upstream_status = 200");

    assertThat(get().json().at("/error/retryable").booleanValue()).isFalse();
  }

  @Test
  void a_job_in_progress_calls_the_model() {
    jobs.set(id, "status = 'in_progress', started_at = now()");
    assertThat(reason()).isEqualTo("calling_model");
    jobs.attempt(id, 1, "sending", "billed = 'unknown'");
    assertThat(reason()).isEqualTo("calling_model");
    assertThat(get().json().at("/status_reason/until").isNull()).isTrue();
  }

  /** The list said {@code calling_model} of them. */
  @Test
  void a_job_whose_tools_run_says_so_by_itself_and_in_the_list() {
    jobs.set(id, "status = 'in_progress', started_at = now()");
    jobs.attempt(id, 1, "answered", "ended_at = now(), http_status = 200");
    jobs.call(id, 1, "pending", "keyed");
    for (String state : List.of("pending", "running")) {
      app.sql().sql("update tool_call set state = :state").param("state", state).update();
      assertThat(reason()).isEqualTo("running_tool");
      assertThat(acme.get("/v1/jobs").text("/data/0/status_reason/code")).isEqualTo("running_tool");
    }

    app.sql().sql("update tool_call set state = 'done'").update();
    assertThat(reason()).isEqualTo("calling_model");
  }

  @Test
  void a_job_that_waits_in_place_says_for_what_and_until_when() {
    jobs.set(id, "status = 'in_progress', started_at = now()");
    jobs.attempt(
        id,
        1,
        "refused",
        """
        http_status = 429, error_code = 'rate_limited', retry_after_ms = 1500,
        ended_at = now(), wait_until = now() + interval '1 minute'
        """);
    assertThat(reason()).isEqualTo("rate_limited");
    assertThat(get().text("/status_reason/detail"))
        .isEqualTo("openai answered 429, Retry-After 2 s");
    assertThat(Instant.parse(get().text("/status_reason/until"))).isAfter(Instant.now());

    jobs.attempt(
        id,
        2,
        "refused",
        """
        http_status = 503, error_code = 'provider_overloaded', ended_at = now(),
        wait_until = now() + interval '1 minute'
        """);
    assertThat(reason()).isEqualTo("backoff");

    jobs.attempt(id, 3, "sending", "billed = 'unknown'");
    assertThat(reason()).isEqualTo("calling_model");
  }

  @Test
  void a_parked_job_says_why_and_until_when() {
    jobs.set(
        id,
        """
        reason_code = 'rate_limited', reason_detail = 'openai answered 429, Retry-After 30 s',
        wake_at = now() + interval '20 seconds'
        """);
    Http.Reply job = get();

    assertThat(job.text("/status_reason/code")).isEqualTo("rate_limited");
    assertThat(job.text("/status_reason/detail")).contains("Retry-After 30 s");
    assertThat(Instant.parse(job.text("/status_reason/until"))).isAfter(Instant.now());
    assertThat(Integer.parseInt(job.header("Retry-After"))).isBetween(15, 20);

    jobs.set(id, "wake_at = now() - interval '1 second'");
    assertThat(reason()).isEqualTo("ready");
    jobs.set(id, "wake_at = null, reason_code = 'limit'");
    assertThat(reason()).isEqualTo("limit");
  }

  @Test
  void an_unchanged_job_is_not_sent_again() {
    Http.Reply first = get();
    String tag = first.header("ETag");

    assertThat(tag).matches("\"[0-9a-f]+\"");
    for (String names : new String[] {tag, "W/" + tag, "\"x\", " + tag, "*"}) {
      Http.Reply again = acme.get("/v1/jobs/" + id, Map.of("If-None-Match", names));
      assertThat(again.status()).as(names).isEqualTo(304);
      assertThat(again.body()).isEmpty();
      assertThat(again.header("ETag")).isEqualTo(tag);
    }
    jobs.end(id, "completed");
    assertThat(acme.get("/v1/jobs/" + id, Map.of("If-None-Match", tag)).status()).isEqualTo(200);
  }

  @Test
  void unknown_and_foreign_jobs_are_not_found_alike() {
    for (String path :
        new String[] {
          "/v1/jobs/" + UUID.randomUUID(),
          "/v1/jobs/1",
          "/v1/jobs/" + id.toUpperCase(Locale.ROOT) + "x",
          "/v1/jobs/%27%20or%201=1"
        }) {
      Problems.assertThat(acme.get(path)).is(404, "job_not_found");
    }
    Http umbrella = app.as("umbrella");
    Problems.assertThat(umbrella.get("/v1/jobs/" + id)).is(404, "job_not_found");
    Problems.assertThat(umbrella.post("/v1/jobs/" + id + "/cancel")).is(404, "job_not_found");
    assertThat(get().text("/status")).isEqualTo("queued");
  }

  @Test
  void an_erased_job_says_when() {
    jobs.complete(id, "{\"content\":\"a\"}");
    jobs.set(id, "erased_at = now()");

    assertThat(get().json().at("/erased_at").isString()).isTrue();
  }

  private Http.Reply get() {
    Http.Reply reply = acme.get("/v1/jobs/" + id);
    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
    return reply;
  }

  private String reason() {
    return get().text("/status_reason/code");
  }
}
