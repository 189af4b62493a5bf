package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SubmitTest {
  private final RunningApp app = RunningApp.shared();
  private final Http acme = app.as("acme");

  @Test
  void a_submit_is_answered_with_a_ticket() {
    Http.Reply reply =
        acme.submit("order-1", "{\"model\":\"openai/gpt-5-mini\",\"prompt\":\"hi\"}");

    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.header("Content-Type")).isEqualTo("application/json");
    assertThat(reply.header("Location")).isEqualTo("/v1/jobs/" + reply.text("/id"));
    assertThat(reply.header("Retry-After")).isEqualTo("1");
    assertThat(reply.header("Idempotent-Replayed")).isEqualTo("false");
    assertThat(reply.header("X-Request-Id")).isNotBlank();
    assertThat(reply.header("Preference-Applied")).isEmpty();
    assertThat(reply.text("/object")).isEqualTo("job");
    assertThat(reply.text("/status")).isEqualTo("queued");
    assertThat(reply.text("/status_reason/code")).isEqualTo("ready");
    assertThat(reply.text("/model")).isEqualTo("openai/gpt-5-mini");
    assertThat(reply.text("/idempotency_key")).isEqualTo("order-1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",\"metadata\":{\"b\":\"\\u0000\",\"a\":\"2\"}",
        ",\"metadata\":{}",
        ",\"budget\":{\"deadline\":\"PT1H\"},\"not_before\":\"%s\"",
        ",\"not_before\":\"2001-01-01T00:00:00Z\""
      })
  void the_ticket_is_there_to_fetch(String more) {
    Http.Reply ticket =
        acme.submit(
            ("{\"model\":\"m\",\"prompt\":\"hi\"" + more + "}")
                .formatted(Instant.now().plus(1, ChronoUnit.DAYS)));
    Http.Reply job = acme.get(ticket.header("Location"));

    assertThat(job.status()).isEqualTo(200);
    assertThat(job.json()).isEqualTo(ticket.json());
  }

  @Test
  void the_job_has_its_first_dispatch() {
    String id = acme.submit("{\"model\":\"m\",\"prompt\":\"hi\"}").text("/id");

    assertThat(dispatchState(id)).isEqualTo("ENQUEUED");
    assertThat(UUID.fromString(id).version()).isEqualTo(7);
  }

  @Test
  void the_body_is_kept_byte_for_byte() {
    String body =
        "{ \"prompt\" : \"\\u0000\\ud800 \\u00e9\", \"model\":\"m\",\n"
            + "\"params\":{\"z\":1.50,\"a\":1e3}}";
    Http.Reply ticket = acme.submit(body);

    assertThat(ticket.status()).isEqualTo(202);
    assertThat(
            app.sql()
                .sql("select body from job_request where job_id = :id")
                .param("id", UUID.fromString(ticket.text("/id")))
                .query((row, number) -> row.getBytes(1))
                .single())
        .isEqualTo(body.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void what_the_worker_needs_is_in_columns() {
    Http.Reply ticket =
        acme.submit(
            """
            {"model":"ollama/llama3","prompt":"hi","max_turns":3,"budget":{"deadline":"PT2M",
             "max_wait":"PT10S","max_attempts":2,"attempt_timeout":"PT30S"}}
            """);

    assertThat(
            app.sql()
                .sql(
                    """
                    select concat_ws(' ', tenant_id, provider, provider_model, max_turns,
                      max_attempts, max_wait_ms, attempt_timeout_ms, dispatch_no, epoch,
                      extract(epoch from deadline_at - created_at)::int) from job where id = :id
                    """)
                .param("id", UUID.fromString(ticket.text("/id")))
                .query(String.class)
                .single())
        .isEqualTo("acme ollama llama3 3 2 10000 30000 1 0 120");
  }

  @ParameterizedTest
  @CsvSource({
    "openai/gpt-5, openai, gpt-5",
    "openai/org/x, openai, org/x",
    "anthropic/claude, anthropic, claude",
    "gpt-5, openai, gpt-5",
    "mistralai/mixtral, openai, mistralai/mixtral",
    "/x, openai, /x",
    "OpenAI/gpt-5, openai, OpenAI/gpt-5"
  })
  void a_prefix_that_names_no_provider_belongs_to_the_model(
      String model, String provider, String providerModel) {
    Http.Reply ticket = acme.submit("{\"model\":\"" + model + "\",\"prompt\":\"hi\"}");

    assertThat(ticket.text("/model")).isEqualTo(model);
    assertThat(
            app.sql()
                .sql("select provider || ' ' || provider_model from job where id = :id")
                .param("id", UUID.fromString(ticket.text("/id")))
                .query(String.class)
                .single())
        .isEqualTo(provider + " " + providerModel);
  }

  @Test
  void defaults_are_cut_to_the_deadline() {
    Http.Reply ticket =
        acme.submit("{\"model\":\"m\",\"prompt\":\"hi\",\"budget\":{\"deadline\":\"PT90S\"}}");

    assertThat(
            app.sql()
                .sql("select max_wait_ms || ' ' || attempt_timeout_ms from job where id = :id")
                .param("id", UUID.fromString(ticket.text("/id")))
                .query(String.class)
                .single())
        .isEqualTo("90000 90000");
  }

  @Test
  void a_job_for_later_is_scheduled_and_its_deadline_counts_from_there() {
    Instant later = Instant.now().plus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MILLIS);
    Http.Reply ticket =
        acme.submit("{\"model\":\"m\",\"prompt\":\"hi\",\"not_before\":\"%s\"}".formatted(later));

    assertThat(ticket.text("/status_reason/code")).isEqualTo("scheduled");
    assertThat(Instant.parse(ticket.text("/status_reason/until"))).isEqualTo(later);
    assertThat(Instant.parse(ticket.text("/deadline_at")))
        .isEqualTo(later.plus(30, ChronoUnit.MINUTES));
    assertThat(dispatchState(ticket.text("/id"))).isEqualTo("SCHEDULED");
  }

  @Test
  void a_time_in_the_past_is_now() {
    Http.Reply ticket =
        acme.submit(
            "{\"model\":\"m\",\"prompt\":\"hi\",\"not_before\":\"2001-01-01T00:00:00+02:00\"}");

    assertThat(ticket.text("/status_reason/code")).isEqualTo("ready");
    assertThat(dispatchState(ticket.text("/id"))).isEqualTo("ENQUEUED");
  }

  @Test
  void metadata_comes_back_as_it_was_sent() {
    Http.Reply ticket =
        acme.submit(
            "{\"model\":\"m\",\"prompt\":\"hi\",\"metadata\":{\"b\":\"\\u0000\",\"a\":\"é\\ud800\"}}");

    assertThat(ticket.body()).contains("\"metadata\":{\"b\":\"\\u0000\",\"a\":\"é\\ud800\"}");
  }

  @Test
  void nulls_of_optional_members_count_as_absent() {
    assertThat(
            acme.submit(
                    """
                    {"model":"m","prompt":"hi","messages":null,"params":null,"tools":null,
                     "max_turns":null,"stream":null,"budget":null,"not_before":null,"metadata":null}
                    """)
                .status())
        .isEqualTo(202);
  }

  @Test
  void a_body_of_four_mebibytes_is_taken() {
    String head = "{\"model\":\"m\",\"prompt\":\"";
    String body = head + "x".repeat((4 << 20) - head.length() - 2) + "\"}";

    assertThat(acme.submit(body).status()).isEqualTo(202);
    assertThat(acme.submit(body + " ").status()).isEqualTo(413);
  }

  @ParameterizedTest
  @CsvSource({
    "application/json;charset=utf-8, 202",
    "application/vnd.api+json, 202",
    "text/plain, 415",
    "application/json;charset=utf-16, 415",
    "application/x-www-form-urlencoded, 415",
    "nonsense, 415"
  })
  void the_content_type_says_json(String type, int status) {
    Http.Reply reply =
        acme.post(
            "/v1/jobs",
            "{\"model\":\"m\",\"prompt\":\"hi\"}",
            Map.of("Content-Type", type, "Idempotency-Key", UUID.randomUUID().toString()));

    assertThat(reply.status()).isEqualTo(status);
    if (status == 415) {
      Problems.assertThat(reply).is(415, "unsupported_media_type");
    }
  }

  @Test
  void an_encoded_body_is_refused() {
    Http.Reply reply =
        acme.post(
            "/v1/jobs",
            "{\"model\":\"m\",\"prompt\":\"hi\"}",
            Map.of("Content-Encoding", "gzip", "Idempotency-Key", "encoded"));

    Problems.assertThat(reply).is(415, "unsupported_media_type");
  }

  private String dispatchState(String id) {
    return app.sql()
        .sql("select state from jobrunr_jobs where id = :id")
        .param("id", id)
        .query(String.class)
        .single();
  }
}
