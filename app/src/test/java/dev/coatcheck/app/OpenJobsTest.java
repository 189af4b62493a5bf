package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class OpenJobsTest {
  private static final String BODY = "{\"model\":\"m\",\"prompt\":\"hi\"}";

  @Test
  void a_small_limit_is_exact_under_parallel_submits() throws Exception {
    try (var app = RunningApp.start("coatcheck.limits.open-jobs=5")) {
      Http acme = app.as("acme");
      var statuses = new ArrayList<Integer>();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Future<Http.Reply>> replies = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
          replies.add(threads.submit(() -> acme.submit(BODY)));
        }
        for (Future<Http.Reply> reply : replies) {
          statuses.add(reply.get().status());
        }
      }

      assertThat(statuses).filteredOn(status -> status == 202).hasSize(5);
      assertThat(statuses).filteredOn(status -> status == 429).hasSize(35);
      isFullButForRepeats(acme);
      assertThat(app.as("umbrella").submit(BODY).status()).isEqualTo(202);
    }
  }

  @Test
  void a_large_limit_is_held_within_a_second() {
    try (var app = RunningApp.start("coatcheck.limits.open-jobs=1001")) {
      Http acme = app.as("acme");
      app.sql()
          .sql(
              """
              insert into job (id, tenant_id, idempotency_key, fingerprint, status, model, provider,
                provider_model, max_attempts, max_turns, attempt_timeout_ms, max_wait_ms,
                dispatch_id, deadline_at)
              select gen_random_uuid(), 'acme', n::text, '', 'queued', 'm', 'openai', 'm', 1, 1, 1,
                1, gen_random_uuid(), now() + interval '1 hour' from generate_series(1, 998) as n
              """)
          .update();
      assertThat(acme.submit(BODY).status()).isEqualTo(202);
      assertThat(acme.submit(BODY).status()).isEqualTo(202);
      isFullAfterOneMore(acme);

      app.sql().sql("update job set status = 'failed' where idempotency_key = '1'").update();
      Awaitility.await()
          .atMost(Duration.ofSeconds(3))
          .until(() -> acme.submit(BODY).status() == 202);
    }
  }

  private static void isFullAfterOneMore(Http acme) {
    isFullButForRepeats(acme, acme.submit("last", BODY));
  }

  private static void isFullButForRepeats(Http acme) {
    Problems.assertThat(acme.submit(UUID.randomUUID().toString(), BODY)).is(429, "too_many_jobs");
  }

  private static void isFullButForRepeats(Http acme, Http.Reply last) {
    assertThat(last.status()).isEqualTo(202);
    Http.Reply refused = acme.submit(BODY);
    Problems.assertThat(refused).is(429, "too_many_jobs");
    assertThat(refused.header("Retry-After")).isEqualTo("1");
    assertThat(acme.submit("last", BODY).text("/id")).isEqualTo(last.text("/id"));
    Problems.assertThat(acme.submit("last", "{\"model\":\"m\",\"prompt\":\"x\"}"))
        .is(422, "idempotency_key_reused");
  }
}
