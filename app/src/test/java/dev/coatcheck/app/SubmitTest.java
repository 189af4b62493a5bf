package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.Test;

class SubmitTest {
  private final RunningApp app = RunningApp.shared();
  private final Http acme = app.as("acme");

  @Test
  void a_submit_is_answered_with_a_ticket() {
    Http.Reply reply =
        acme.submit("order-1", "{\"model\":\"openai/gpt-5-mini\",\"prompt\":\"hi\"}");

    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.header("Location")).isEqualTo("/v1/jobs/" + reply.text("/id"));
    assertThat(reply.header("Retry-After")).isEqualTo("1");
    assertThat(reply.header("Idempotent-Replayed")).isEqualTo("false");
    assertThat(reply.header("X-Request-Id")).isNotBlank();
    assertThat(reply.text("/status")).isEqualTo("queued");
    assertThat(reply.text("/status_reason/code")).isEqualTo("ready");
  }

  @Test
  void the_ticket_is_there_to_fetch() {
    Http.Reply ticket = acme.submit("{\"model\":\"m\",\"prompt\":\"hi\"}");
    Http.Reply job = acme.get(ticket.header("Location"));

    assertThat(job.status()).isEqualTo(200);
    assertThat(job.json()).isEqualTo(ticket.json());
  }

  @Test
  void the_job_has_its_first_dispatch() {
    String id = acme.submit("{\"model\":\"m\",\"prompt\":\"hi\"}").text("/id");
    assertThat(
            app.sql()
                .sql("select state from jobrunr_jobs where id = :id")
                .param("id", id)
                .query(String.class)
                .single())
        .isEqualTo("ENQUEUED");
    assertThat(UUID.fromString(id).version()).isEqualTo(7);
  }
}
