package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.job.JobId;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class CancelTest {
  private final RunningApp app = RunningApp.shared();
  private final Http acme = app.as("acme");
  private final Jobs jobs = new Jobs(app.sql());

  @Test
  void a_queued_job_is_cancelled_and_its_dispatch_shows_it() {
    String id = acme.submit("{\"model\":\"m\",\"prompt\":\"hi\"}").text("/id");
    Http.Reply reply = acme.post("/v1/jobs/" + id + "/cancel");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text("/status")).isEqualTo("cancelled");
    assertThat(reply.json().at("/status_reason").isNull()).isTrue();
    assertThat(reply.json().at("/ended_at").isString()).isTrue();
    assertThat(reply.text("/error/code")).isEqualTo("cancelled");
    assertThat(reply.json().at("/error/retryable").booleanValue()).isFalse();
    assertThat(
            app.sql()
                .sql("select state from jobrunr_jobs where id = :id")
                .param("id", id)
                .query(String.class)
                .single())
        .isEqualTo("DELETED");
  }

  @Test
  void the_open_attempt_of_a_job_in_progress_becomes_indeterminate_and_its_epoch_moves() {
    String id = acme.submit("{\"model\":\"m\",\"prompt\":\"hi\"}").text("/id");
    jobs.set(
        id,
        """
        status = 'in_progress', epoch = 5, lease_owner = gen_random_uuid(),
        lease_expires_at = now() + interval '30 seconds', started_at = now()
        """);
    jobs.attempt(id, 1, "refused", "billed = 'no', ended_at = now()");
    jobs.attempt(id, 2, "sending", "billed = 'unknown'");
    Http.Reply reply = acme.post("/v1/jobs/" + id + "/cancel");

    assertThat(reply.text("/status")).isEqualTo("cancelled");
    assertThat(reply.text("/attempts/0/state")).isEqualTo("refused");
    assertThat(reply.text("/attempts/1/state")).isEqualTo("indeterminate");
    assertThat(reply.text("/attempts/1/billed")).isEqualTo("unknown");
    assertThat(reply.json().at("/attempts/1/ended_at").isString()).isTrue();
    assertThat(
            app.sql()
                .sql(
                    "select epoch || ' ' || (lease_owner is null and lease_expires_at is null)"
                        + " from job where id = :id")
                .param("id", UUID.fromString(id))
                .query(String.class)
                .single())
        .isEqualTo("6 true");
  }

  @Test
  void an_ended_job_stays_what_it_is() {
    String id = acme.submit("{\"model\":\"m\",\"prompt\":\"hi\"}").text("/id");
    jobs.complete(id, "{\"content\":\"done\"}");
    String before = acme.get("/v1/jobs/" + id).body();
    Http.Reply reply = acme.post("/v1/jobs/" + id + "/cancel");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.body()).isEqualTo(before);
    assertThat(acme.post("/v1/jobs/" + id + "/cancel").body()).isEqualTo(before);
  }

  @Test
  void whoever_runs_it_is_told() throws Exception {
    Set<JobId> heard = ConcurrentHashMap.newKeySet();
    ListenHub hub = app.context().getBean(ListenHub.class);
    String id = acme.submit("{\"model\":\"m\",\"prompt\":\"hi\"}").text("/id");
    try (var _ =
        hub.subscribe(
            Channel.CANCELLED,
            new ListenHub.Listener() {
              @Override
              public void heard(Collection<JobId> ids) {
                heard.addAll(ids);
              }

              @Override
              public void gap() {}
            })) {
      acme.post("/v1/jobs/" + id + "/cancel");
      Awaitility.await()
          .atMost(Duration.ofSeconds(5))
          .until(() -> heard.contains(new JobId(UUID.fromString(id))));
    }
  }

  @Test
  void an_unknown_job_is_not_found() {
    Problems.assertThat(acme.post("/v1/jobs/" + UUID.randomUUID() + "/cancel"))
        .is(404, "job_not_found");
    Problems.assertThat(acme.post("/v1/jobs/x/cancel")).is(404, "job_not_found");
  }
}
