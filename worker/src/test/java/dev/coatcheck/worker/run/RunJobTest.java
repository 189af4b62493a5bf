package dev.coatcheck.worker.run;

import static dev.coatcheck.simulator.Match.prompt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.simulator.Answer;
import dev.coatcheck.simulator.Completion;
import dev.coatcheck.simulator.OpenAiErrors;
import dev.coatcheck.simulator.Reply;
import dev.coatcheck.worker.lease.HealJobs;
import dev.coatcheck.worker.run.Rig.Terms;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole worker against the simulator: what becomes of a job. */
class RunJobTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private static Rig rig;

  @BeforeAll
  static void start() {
    rig = Rig.usual();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @AfterEach
  void no_connection_was_held_over_a_call() {
    rig.probe.assertNoneHeldDuringCalls();
    assertThat(rig.probe.calls()).isPositive();
  }

  @Test
  void an_answer_completes_the_job_and_is_kept_as_the_provider_sent_it() {
    JobId job = rig.submit("hello there");
    assertThat(rig.ended(job))
        .containsEntry("status", "completed")
        .containsEntry("finish_reason", "stop")
        .containsEntry("error_code", null);
    assertThat(rig.attempts(job))
        .singleElement()
        .satisfies(
            attempt ->
                assertThat(attempt)
                    .containsEntry("state", "answered")
                    .containsEntry("billed", "yes")
                    .containsEntry("http_status", 200)
                    .hasEntrySatisfying("provider_request_id", id -> assertThat(id).isNotNull())
                    .hasEntrySatisfying("usage_output", n -> assertThat((Long) n).isPositive()));
    assertThat(rig.simulator.ledger().asked("hello there")).hasSize(1);
  }

  @Test
  void messages_and_params_travel_untouched() {
    String messages = "[{\"content\":\"n\\u0000\\ud800 odd\",\"role\":\"user\",\"x\":1.50}]";
    JobId job =
        rig.submitBody(
            "{\"messages\":" + messages + ",\"params\":{\"temperature\":1e0, \"seed\" : 7e0}}",
            Terms.usual());
    rig.ended(job);
    assertThat(body("odd")).contains(messages).contains("\"temperature\":1e0").contains("7e0");
  }

  private static String body(String marker) {
    return new String(
        rig.simulator.ledger().asked(marker).getFirst().request().body().bytes(),
        StandardCharsets.UTF_8);
  }

  @Test
  void a_short_rate_limit_is_waited_for_in_place() {
    rig.simulator.queue(prompt("short limit"), OpenAiErrors.rateLimited().with("retry-after", "1"));
    JobId job = rig.submit("short limit");
    assertThat(rig.ended(job)).containsEntry("status", "completed");
    List<Map<String, @Nullable Object>> attempts = rig.attempts(job);
    assertThat(attempts).hasSize(2);
    assertThat(attempts.getFirst())
        .containsEntry("state", "refused")
        .containsEntry("error_code", "rate_limited")
        .containsEntry("billed", "no")
        .containsEntry("retry_after_ms", 1_000L);
    assertThat((Long) attempts.getFirst().get("wait_ms")).isBetween(1_000L, 1_200L);
    assertThat(gapMillis("short limit")).isGreaterThanOrEqualTo(1_000);
    assertThat(rig.job(job)).containsEntry("dispatch_no", 1);
  }

  private static long gapMillis(String marker) {
    var asked = rig.simulator.ledger().asked(marker);
    return Duration.between(asked.get(0).request().arrivedAt(), asked.get(1).request().arrivedAt())
        .toMillis();
  }

  @Test
  void a_longer_rate_limit_is_parked_and_nothing_is_held_meanwhile() {
    rig.simulator.queue(prompt("long limit"), OpenAiErrors.rateLimited().with("retry-after", "3"));
    JobId job = rig.submit("long limit");
    await().atMost(SOON).until(() -> rig.job(job).get("reason_code") != null);
    assertThat(rig.job(job))
        .containsEntry("status", "queued")
        .containsEntry("reason_code", "rate_limited")
        .containsEntry("lease_owner", null);
    await().atMost(SOON).until(() -> rig.slots().permits() == rig.slots().capacity());
    assertThat(rig.ended(job)).containsEntry("status", "completed");
    assertThat(gapMillis("long limit")).isGreaterThanOrEqualTo(3_000);
    assertThat(rig.job(job)).containsEntry("dispatch_no", 2);
  }

  /** Apache's client, left to itself, would send a 503 with Retry-After again. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void two_retrying_layers_multiply_but_always_503_makes_exactly_as_many_sends_as_allowed(
      int most) {
    String marker = "always 503 x " + most;
    rig.simulator.always(prompt(marker), OpenAiErrors.status(503).with("retry-after", "0"));
    JobId job = rig.submit(marker, Terms.usual().attempts(most));
    assertThat(rig.ended(job))
        .containsEntry("status", "failed")
        .containsEntry("error_code", "attempts_exhausted")
        .containsEntry("upstream_status", 503);
    assertThat(rig.simulator.ledger().asked(marker)).hasSize(most);
    assertThat(rig.attempts(job)).hasSize(most);
  }

  @Test
  void billing_is_never_asked_again() {
    rig.simulator.always(prompt("no money"), OpenAiErrors.insufficientQuota());
    JobId job = rig.submit("no money");
    assertThat(rig.ended(job))
        .containsEntry("status", "failed")
        .containsEntry("error_code", "billing");
    assertThat(rig.simulator.ledger().asked("no money")).hasSize(1);
  }

  @Test
  void a_wait_beyond_the_budget_fails_at_once_and_says_how_long() {
    rig.simulator.always(
        prompt("a whole day"), OpenAiErrors.rateLimited().with("retry-after", "86400"));
    JobId job = rig.submit("a whole day");
    assertThat(rig.ended(job))
        .containsEntry("status", "failed")
        .containsEntry("error_code", "retry_after_too_long")
        .hasEntrySatisfying(
            "error_message", text -> assertThat(String.valueOf(text)).contains("86400"));
  }

  @Test
  void the_deadline_aborts_the_call_and_expires_the_job_within_two_seconds() {
    rig.simulator.always(prompt("hangs"), Answer.hang());
    long start = System.nanoTime();
    JobId job = rig.submit("hangs", Terms.usual().deadline(Duration.ofSeconds(2)));
    assertThat(rig.ended(job))
        .containsEntry("status", "expired")
        .containsEntry("error_code", "deadline_exceeded");
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(1_900), Duration.ofSeconds(4));
    assertThat(rig.attempts(job))
        .singleElement()
        .satisfies(attempt -> assertThat(attempt).containsEntry("state", "indeterminate"));
  }

  @Test
  void a_call_that_timed_out_is_indeterminate_and_asked_again() {
    rig.simulator.queue(prompt("slow once"), Answer.hang());
    JobId job = rig.submit("slow once", Terms.usual().timeout(Duration.ofSeconds(1)));
    assertThat(rig.ended(job)).containsEntry("status", "completed");
    assertThat(rig.attempts(job)).hasSize(2);
    assertThat(rig.attempts(job).getFirst())
        .containsEntry("state", "indeterminate")
        .containsEntry("error_code", "provider_timeout")
        .containsEntry("billed", "unknown");
  }

  @Test
  void a_model_that_stopped_short_leaves_the_job_incomplete() {
    rig.simulator.queue(prompt("too long"), Completion.saying("so far").finishing("length"));
    JobId job = rig.submit("too long");
    assertThat(rig.ended(job))
        .containsEntry("status", "incomplete")
        .containsEntry("finish_reason", "length")
        .containsEntry("error_code", null);
  }

  @Test
  void nul_and_lone_surrogates_from_a_model_break_nothing() {
    String body =
        """
        {"id":"x","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"a\\u0000b\\ud800c"}}]}\
        """;
    rig.simulator.queue(prompt("odd answer"), Reply.json(200, body));
    JobId job = rig.submit("odd answer");
    assertThat(rig.ended(job)).containsEntry("status", "completed");
    byte[] message =
        rig.engine
            .sql()
            .sql("select message from turn where job_id = :id")
            .param("id", job.value())
            .query((row, index) -> row.getBytes(1))
            .single();
    assertThat(new String(message, StandardCharsets.UTF_8))
        .isEqualTo("{\"role\":\"assistant\",\"content\":\"a\\u0000b\\ud800c\"}");
  }

  @Test
  void an_attempt_is_in_the_ledger_before_its_request_arrives() {
    var seen = new AtomicReference<String>();
    var id = new AtomicReference<JobId>();
    rig.simulator.script(
        prompt("look first"),
        (request, nth) -> {
          await().atMost(SOON).until(() -> id.get() != null);
          seen.set(String.valueOf(rig.attempts(id.get()).getFirst().get("state")));
          return Completion.aboutThePrompt();
        });
    id.set(rig.submit("look first"));
    rig.ended(id.get());
    assertThat(seen.get()).isEqualTo("sending");
  }

  @Test
  void a_job_for_a_provider_that_the_worker_lacks_fails_and_says_so() {
    JobId job = rig.submit("unknown provider", Terms.usual().provider("nobody"));
    assertThat(rig.ended(job))
        .containsEntry("status", "failed")
        .containsEntry("error_code", "model_unknown")
        .hasEntrySatisfying(
            "error_message", text -> assertThat(String.valueOf(text)).contains("nobody"));
    assertThat(rig.attempts(job))
        .singleElement()
        .satisfies(
            attempt ->
                assertThat(attempt)
                    .containsEntry("state", "unreachable")
                    .containsEntry("billed", "no")
                    .containsEntry("counted", false));
  }

  @Test
  void neither_prompt_nor_key_nor_a_providers_text_gets_into_what_jobrunr_stores() {
    rig.simulator.always(
        prompt("canary prompt"),
        OpenAiErrors.of(400, "invalid_request_error", "bad sk-test-canary and canary words"));
    JobId job = rig.submit("canary prompt");
    assertThat(rig.ended(job))
        .containsEntry("error_code", "invalid_request")
        .hasEntrySatisfying(
            "error_message",
            text ->
                assertThat(String.valueOf(text))
                    .contains("canary words")
                    .doesNotContain("sk-test-canary"));
    await().atMost(SOON).until(() -> dispatch(job).contains("FAILED"));
    assertThat(dispatch(job)).contains("attempt 1", "invalid_request").doesNotContain("canary");
    assertThat(dispatch(job)).doesNotContain("\\tat ");
  }

  private static String dispatch(JobId job) {
    return rig.engine
        .sql()
        .sql("select jobAsJson from jobrunr_jobs where id = :id")
        .param("id", job.toString())
        .query(String.class)
        .single();
  }

  @Test
  void what_runs_do_is_measured() {
    rig.ended(rig.submit("measured"));
    MeterRegistry meters = rig.context.getBean(MeterRegistry.class);
    assertThat(meters.get("coatcheck.attempts").tag("state", "answered").counter().count())
        .isPositive();
    assertThat(meters.get("coatcheck.pickup").timer().count()).isPositive();
    assertThat(meters.get("coatcheck.runs.in.flight").gauge().value()).isNotNegative();
    assertThat(meters.getMeters().stream().map(meter -> meter.getId().getName()))
        .contains(
            "coatcheck.jobs.ended",
            "coatcheck.leases.lost",
            "coatcheck.leases.reaped",
            "coatcheck.dispatches.reconciled",
            "coatcheck.jobs.expired",
            "hikaricp.connections.active");
  }

  @Test
  void
      a_job_reaped_while_its_first_run_still_waits_has_one_result_and_the_loser_discards_its_own() {
    rig.simulator.script(
        prompt("orphaned"),
        (request, nth) ->
            Completion.saying("run " + nth).after(Duration.ofMillis(nth == 1 ? 3_000 : 300)));
    JobId job = rig.submit("orphaned");
    rig.simulator.ledger().await(entry -> entry.prompt().equals("orphaned"), 1, SOON);
    rig.engine
        .sql()
        .sql("update job set lease_expires_at = now() - interval '1 second' where id = :id")
        .param("id", job.value())
        .update();
    assertThat(rig.context.getBean(HealJobs.Healers.class).reaper().reap()).contains(job);
    assertThat(rig.ended(job)).containsEntry("status", "completed").containsEntry("epoch", 3L);
    await().atMost(SOON).until(() -> rig.slots().permits() == rig.slots().capacity());
    assertThat(rig.simulator.ledger().asked("orphaned")).hasSize(2);
    assertThat(rig.attempts(job))
        .extracting(attempt -> attempt.get("state"))
        .containsExactly("indeterminate", "answered");
    assertThat(messages(job)).singleElement().asString().contains("run 2");
    assertThat(rig.job(job)).containsEntry("status", "completed").containsEntry("deaths", 0);
  }

  private static List<String> messages(JobId job) {
    return rig.engine
        .sql()
        .sql("select message from turn where job_id = :id")
        .param("id", job.value())
        .query((row, index) -> new String(row.getBytes(1), StandardCharsets.UTF_8))
        .list();
  }
}
