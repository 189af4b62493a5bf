package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class WebhookSubmitTest {
  private static final String SECRET =
      "coatcheck.webhooks.secret=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final RunningApp app =
      RunningApp.start(
          SECRET, "coatcheck.tenants.umbrella.webhook-url=https://hooks.umbrella.example/all");
  private final Http acme = app.as("acme");

  @AfterAll
  void stop() {
    app.close();
  }

  @Test
  void a_jobs_webhook_is_kept() {
    String id =
        submit("{\"url\":\"https://Hooks.Example.com:8443/a?b=c\",\"include\":[\"output\"]}");

    assertThat(webhook(id))
        .containsEntry("url", "https://hooks.example.com:8443/a?b=c")
        .containsEntry("endpoint", "hooks.example.com:8443")
        .containsEntry("include_output", true)
        .containsEntry("tenant_id", "acme");
  }

  @Test
  void without_one_nothing_is_kept() {
    for (String none : List.of("", ",\"webhook\":null")) {
      Http.Reply ticket = acme.submit("{\"model\":\"m\",\"prompt\":\"p\"" + none + "}");
      assertThat(ticket.status()).as(ticket.body()).isEqualTo(202);
      assertThat(webhook(ticket.text("/id"))).isEmpty();
    }
  }

  @Test
  void a_tenants_default_serves_jobs_that_name_no_url() {
    Http umbrella = app.as("umbrella");
    String bare = umbrella.submit("{\"model\":\"m\",\"prompt\":\"p\"}").text("/id");
    String fuller =
        umbrella
            .submit("{\"model\":\"m\",\"prompt\":\"p\",\"webhook\":{\"include\":[\"output\"]}}")
            .text("/id");

    assertThat(webhook(bare))
        .containsEntry("url", "https://hooks.umbrella.example/all")
        .containsEntry("include_output", false);
    assertThat(webhook(fuller))
        .containsEntry("url", "https://hooks.umbrella.example/all")
        .containsEntry("include_output", true);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://example.com/",
        "https://127.0.0.1/",
        "https://localhost/",
        "https://user@example.com/",
        "https://example.com:8080/",
        "https://[::ffff:7f00:1]/",
        "https://bücher.example/",
        "not a url",
        ""
      })
  void a_bad_url_is_refused(String url) {
    Problems.assertThat(acme.submit(body("{\"url\":\"" + url + "\"}")))
        .is(400, "invalid_request")
        .at("webhook.url");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{\"url\":7}; webhook.url",
        "{\"url\":null}; webhook.url",
        "{}; webhook.url",
        "\"https://example.com/\"; webhook",
        "{\"url\":\"https://example.com/\",\"secret\":\"s\"}; webhook.secret",
        "{\"url\":\"https://example.com/\",\"include\":\"output\"}; webhook.include",
        "{\"url\":\"https://example.com/\",\"include\":[\"output\",\"usage\"]}; webhook.include[1]"
      })
  void what_a_webhook_cannot_say_is_refused_by_name(String webhook, String path) {
    Problems.assertThat(acme.submit(body(webhook))).is(400, "invalid_request").at(path);
  }

  @Test
  void the_problem_never_quotes_the_url() {
    assertThat(acme.submit(body("{\"url\":\"https://u:canary@example.com/\"}")).body())
        .doesNotContain("canary");
  }

  @Test
  void each_end_and_each_action_is_noted_once_for_those_who_want_it() {
    String told = submit("{\"url\":\"https://example.com/\"}");
    String untold = acme.submit("{\"model\":\"m\",\"prompt\":\"p\"}").text("/id");
    var jobs = new Jobs(app.sql());
    for (String id : List.of(told, untold)) {
      jobs.set(id, "status = 'in_progress'");
      jobs.set(id, "status = 'requires_action'");
      jobs.set(id, "reason_code = 'awaiting_approval'");
      jobs.set(id, "status = 'queued'");
      jobs.set(id, "status = 'in_progress'");
      jobs.set(id, "status = 'requires_action'");
    }
    acme.post("/v1/jobs/" + told + "/cancel");
    jobs.set(told, "status = status, erased_at = now()");

    assertThat(types(told))
        .containsExactly("job.requires_action", "job.requires_action", "job.cancelled");
    assertThat(types(untold)).isEmpty();
    assertThat(
            app.sql()
                .sql("select count(distinct event_id) from delivery where job_id = :id")
                .param("id", UUID.fromString(told))
                .query(Integer.class)
                .single())
        .isEqualTo(3);
  }

  @Test
  void without_a_secret_no_webhook_is_taken() {
    try (var bare = RunningApp.start()) {
      Problems.assertThat(bare.as("acme").submit(body("{\"url\":\"https://example.com/\"}")))
          .is(400, "invalid_request")
          .at("webhook");
    }
  }

  @Test
  void private_addresses_are_taken_where_the_operator_allows_them() {
    try (var open = RunningApp.start(SECRET, "coatcheck.webhooks.allow-private-addresses=true")) {
      Http.Reply ticket = open.as("acme").submit(body("{\"url\":\"http://127.0.0.1:9000/hook\"}"));
      assertThat(ticket.status()).as(ticket.body()).isEqualTo(202);
    }
  }

  @Test
  void tenants_that_share_a_secret_are_named_at_the_start(CapturedOutput output) {
    try (var _ =
        RunningApp.start(SECRET, "coatcheck.tenants.acme.webhook-secret=whsec_" + "A".repeat(32))) {
      assertThat(output.getOut())
          .contains(
              "Several tenants share coatcheck.webhooks.secret", "tenants=\"[initech, umbrella]\"")
          .doesNotContain("whsec_");
    }
  }

  private String submit(String webhook) {
    Http.Reply ticket = acme.submit(body(webhook));
    assertThat(ticket.status()).as(ticket.body()).isEqualTo(202);
    return ticket.text("/id");
  }

  private static String body(String webhook) {
    return "{\"model\":\"m\",\"prompt\":\"p\",\"webhook\":" + webhook + "}";
  }

  private Map<String, @Nullable Object> webhook(String id) {
    return app
        .sql()
        .sql("select * from webhook where job_id = :id")
        .param("id", UUID.fromString(id))
        .query()
        .listOfRows()
        .stream()
        .findFirst()
        .orElse(Map.of());
  }

  private List<@Nullable String> types(String id) {
    return app.sql()
        .sql("select type from delivery where job_id = :id order by created_at")
        .param("id", UUID.fromString(id))
        .query(String.class)
        .list();
  }
}
