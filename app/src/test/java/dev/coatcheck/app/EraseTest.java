package dev.coatcheck.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EraseTest {
  private static final String CANARY = "canary-4711";
  private static final String BODY =
      "{\"model\":\"m\",\"prompt\":\"" + CANARY + "\",\"metadata\":{\"order\":\"1\"}}";

  private final RunningApp app = RunningApp.start();
  private final Http acme = app.as("acme");
  private final Jobs jobs = new Jobs(app.sql());

  @AfterAll
  void stop() {
    app.close();
  }

  @Test
  void an_ended_job_loses_its_content_and_keeps_its_ledger() {
    String id = completed("one");
    assertThat(acme.get("/v1/jobs/" + id).body()).contains(CANARY);
    assertThat(everything()).contains(CANARY, HexFormat.of().formatHex(CANARY.getBytes(UTF_8)));

    Http.Reply erased = acme.method("DELETE", "/v1/jobs/" + id);
    assertThat(erased.status()).isEqualTo(204);
    assertThat(erased.body()).isEmpty();
    assertThat(acme.method("DELETE", "/v1/jobs/" + id).status()).isEqualTo(204);

    Http.Reply job = acme.get("/v1/jobs/" + id);
    assertThat(job.status()).isEqualTo(200);
    assertThat(job.text("/status")).isEqualTo("completed");
    assertThat(job.text("/erased_at")).endsWith("Z");
    assertThat(job.json().at("/output").isNull()).isTrue();
    assertThat(job.json().at("/output_text").isNull()).isTrue();
    assertThat(job.text("/usage/output")).isEqualTo("7");
    assertThat(job.json().at("/attempts")).hasSize(1);
    assertThat(job.text("/metadata/order")).isEqualTo("1");
    assertThat(acme.get("/v1/jobs").json().at("/data").toString()).contains("erased_at");
    assertThat(everything())
        .doesNotContain(CANARY, HexFormat.of().formatHex(CANARY.getBytes(UTF_8)));
  }

  @Test
  void what_a_provider_said_of_a_failure_goes_too() {
    String id = acme.submit(BODY).text("/id");
    jobs.end(id, "failed");
    jobs.set(
        id,
        """
        error_code = 'invalid_request', error_message = 'bad %1$s', upstream_status = 400,
        upstream_code = '%1$s', upstream_request_id = 'req_1'
        """
            .formatted(CANARY));
    acme.method("DELETE", "/v1/jobs/" + id);

    Http.Reply job = acme.get("/v1/jobs/" + id);
    assertThat(job.text("/error/code")).isEqualTo("invalid_request");
    assertThat(job.text("/error/message")).isEqualTo("erased");
    assertThat(job.text("/error/upstream/http_status")).isEqualTo("400");
    assertThat(everything())
        .doesNotContain(CANARY, HexFormat.of().formatHex(CANARY.getBytes(UTF_8)));
  }

  @Test
  void a_job_that_has_not_ended_is_not_erased() {
    String id = acme.submit(BODY).text("/id");

    Problems.assertThat(acme.method("DELETE", "/v1/jobs/" + id)).is(409, "job_not_ended");
    assertThat(acme.get("/v1/jobs/" + id).json().has("erased_at")).isFalse();
    acme.post("/v1/jobs/" + id + "/cancel");
    assertThat(acme.method("DELETE", "/v1/jobs/" + id).status()).isEqualTo(204);
  }

  @Test
  void foreign_and_unknown_jobs_are_not_found() {
    String id = completed("foreign");

    for (String other : List.of(UUID.randomUUID().toString(), "x")) {
      Problems.assertThat(acme.method("DELETE", "/v1/jobs/" + other)).is(404, "job_not_found");
    }
    Problems.assertThat(app.as("umbrella").method("DELETE", "/v1/jobs/" + id))
        .is(404, "job_not_found");
    assertThat(acme.get("/v1/jobs/" + id).body()).contains(CANARY);
    acme.method("DELETE", "/v1/jobs/" + id);
  }

  @Test
  void its_idempotency_key_still_stands_for_it_by_the_fingerprint_alone() {
    String id = completed("kept");
    acme.method("DELETE", "/v1/jobs/" + id);

    Http.Reply same = acme.submit("kept", BODY);
    assertThat(same.status()).isEqualTo(202);
    assertThat(same.text("/id")).isEqualTo(id);
    assertThat(same.header("Idempotent-Replayed")).isEqualTo("true");

    Http.Reply other = acme.submit("kept", BODY.replace("canary", "other"));
    Problems.assertThat(other).is(422, "idempotency_key_reused");
    assertThat(other.text("/job_id")).isEqualTo(id);
    assertThat(other.json().has("differs")).isFalse();
  }

  private String completed(String key) {
    String id = acme.submit(key, BODY).text("/id");
    jobs.attempt(
        id,
        1,
        "answered",
        "usage_output = 7, provider_code = '%1$s', usage_json = '%1$s'".formatted(CANARY));
    jobs.complete(id, "{\"role\":\"assistant\",\"content\":\"" + CANARY + "\"}");
    app.sql()
        .sql(
            """
            insert into event (job_id, number, tenant_id, type, data)
            values (:id, 100, 'acme', 'output.delta', :data)
            """)
        .param("id", UUID.fromString(id))
        .param("data", "{\"text\":\"" + CANARY + "\"}")
        .update();
    return id;
  }

  /** Each row of each table; bytes are in hexadecimal digits. */
  private String everything() {
    List<String> tables =
        app.sql()
            .sql("select tablename from pg_tables where schemaname = 'public'")
            .query((row, number) -> row.getString(1))
            .list();
    var all = new StringBuilder();
    for (String table : tables) {
      app.sql()
          .sql("select t::text from " + table + " t")
          .query((row, number) -> row.getString(1))
          .list()
          .forEach(row -> all.append(row).append('\n'));
    }
    return all.toString();
  }
}
