package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What people and callers decide about tool calls. */
class DecideTest {
  private final RunningApp app = RunningApp.shared();
  private final Http acme = app.as("acme");
  private final Jobs jobs = new Jobs(app.sql());

  /** A job whose first turn waits for this. */
  private String waiting(String state, String safety) {
    String id = acme.submit("{\"model\":\"m\",\"prompt\":\"hi\"}").text("/id");
    app.sql()
        .sql(
            """
            insert into turn (job_id, number, tenant_id, attempt, message)
            values (:id, 1, 'acme', 1, '{}')
            """)
        .param("id", UUID.fromString(id))
        .update();
    jobs.call(id, 1, state, safety);
    jobs.set(id, "status = 'requires_action', reason_code = 'awaiting_approval', epoch = 3");
    return id;
  }

  private Http.Reply decide(String id, String action, String body) {
    return decide(id, 1, action, body);
  }

  private Http.Reply decide(String id, int ordinal, String action, String body) {
    return acme.post(
        "/v1/jobs/" + id + "/tool_calls/" + Jobs.callId(id, ordinal) + "/" + action,
        body,
        Map.of());
  }

  private long dispatches(String id) {
    return app.sql()
        .sql("select count(*) from jobrunr_jobs where jobAsJson like '%' || :id || '%'")
        .param("id", id)
        .query(Long.class)
        .single();
  }

  @Test
  void an_approved_call_is_pending_and_its_job_is_on_its_way_in_the_same_transaction() {
    String id = waiting("awaiting_approval", "keyed");

    Http.Reply reply = decide(id, "approve", "");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text("/status")).isEqualTo("queued");
    assertThat(reply.text("/tool_calls/0/state")).isEqualTo("pending");
    assertThat(reply.text("/tool_calls/0/effect_key")).isEqualTo("e-1");
    assertThat(reply.body()).contains("\"arguments\":{\"a\": 1.0}");
    assertThat(dispatches(id)).isEqualTo(2);
    assertThat(decide(id, "approve", "{}").status()).isEqualTo(200);
    assertThat(dispatches(id)).isEqualTo(2);
    Problems.assertThat(decide(id, "deny", "{\"reason\":\"no\"}")).is(409, "already_decided");
  }

  @Test
  void an_approved_client_tool_waits_for_its_output() {
    String id = waiting("awaiting_approval", "client");
    Http.Reply reply = decide(id, "approve", "{}");
    assertThat(reply.text("/status")).isEqualTo("requires_action");
    assertThat(reply.text("/status_reason/code")).isEqualTo("awaiting_tool_output");
    assertThat(reply.json().at("/status_reason/until").isString()).isTrue();
    assertThat(decide(id, "output", "{\"output\":\"sunny\"}").text("/status")).isEqualTo("queued");
    assertThat(acme.get("/v1/jobs/" + id).text("/tool_calls/0/result")).isEqualTo("sunny");
  }

  @Test
  void the_approval_of_a_client_tool_tells_that_its_output_is_now_waited_for() {
    String id = waiting("awaiting_approval", "client");
    Http.Reply reply = decide(id, "approve", "{}");
    assertThat(reply.text("/status_reason/detail")).isEqualTo("refund");
    List<String> events = events(id);
    assertThat(events.getLast())
        .startsWith("job.requires_action ")
        .contains("awaiting_tool_output");
    decide(id, "approve", "{}");
    assertThat(events(id)).isEqualTo(events);
  }

  private List<String> events(String id) {
    return app.sql()
        .sql("select type || ' ' || data from event where job_id = :id order by number")
        .param("id", UUID.fromString(id))
        .query((row, number) -> row.getString(1))
        .list();
  }

  @Test
  void a_denied_call_is_over_and_the_model_is_told_why() {
    String id = waiting("awaiting_approval", "keyed");
    Http.Reply reply = decide(id, "deny", "{\"reason\":\"too much\"}");
    assertThat(reply.text("/tool_calls/0/state")).isEqualTo("denied");
    assertThat(reply.text("/tool_calls/0/error")).contains("too much");
    assertThat(reply.text("/status")).isEqualTo("queued");
    assertThat(decide(id, "deny", "{ \"reason\" : \"too much\" }").status()).isEqualTo(200);
    Problems.assertThat(decide(id, "deny", "{\"reason\":\"else\"}")).is(409, "already_decided");
    Problems.assertThat(decide(id, "approve", "{}")).is(409, "already_decided");
  }

  @Test
  void the_job_waits_on_while_another_call_needs_somebody() {
    String id = waiting("awaiting_output", "client");
    jobs.call(id, 2, "awaiting_approval", "keyed");
    Http.Reply first = decide(id, 1, "output", "{\"output\":{\"b\" : 2.50}}");
    assertThat(first.text("/status")).isEqualTo("requires_action");
    assertThat(first.text("/status_reason/code")).isEqualTo("awaiting_approval");
    assertThat(first.body()).contains("\"result\":{\"b\" : 2.50}");
    assertThat(decide(id, 2, "approve", "").text("/status")).isEqualTo("queued");
  }

  @Test
  void an_output_is_idempotent_by_its_content_however_it_is_spelt() {
    String id = waiting("awaiting_output", "client");
    assertThat(decide(id, "output", "{\"output\":{\"a\":1,\"b\":2}}").status()).isEqualTo(200);
    assertThat(decide(id, "output", "{\"output\": {\"b\":2.0, \"a\":1}}").status()).isEqualTo(200);
    Problems.assertThat(decide(id, "output", "{\"output\":{\"a\":1}}")).is(409, "already_decided");
    Problems.assertThat(decide(id, "output", "{\"error\":\"x\"}")).is(409, "already_decided");
  }

  @Test
  void an_error_of_the_caller_is_told_to_the_model() {
    String id = waiting("awaiting_output", "client");
    Http.Reply reply = decide(id, "output", "{\"error\":\"no network\"}");
    assertThat(reply.text("/tool_calls/0/state")).isEqualTo("failed");
    assertThat(reply.text("/tool_calls/0/error")).isEqualTo("no network");
    assertThat(reply.json().at("/tool_calls/0/result").isNull()).isTrue();
  }

  @Test
  void a_call_in_doubt_is_resolved_as_done_or_run_again() {
    String done = waiting("in_doubt", "at-most-once");
    Http.Reply reply = decide(done, "resolve", "{\"outcome\":\"done\",\"result\":{\"ok\":true}}");
    assertThat(reply.text("/tool_calls/0/state")).isEqualTo("done");
    assertThat(reply.json().at("/tool_calls/0/result/ok").booleanValue()).isTrue();
    assertThat(reply.text("/status")).isEqualTo("queued");
    Problems.assertThat(decide(done, "resolve", "{\"outcome\":\"not_done\"}"))
        .is(409, "already_decided");

    String again = waiting("in_doubt", "at-most-once");
    assertThat(decide(again, "resolve", "{\"outcome\":\"not_done\"}").text("/tool_calls/0/state"))
        .isEqualTo("pending");
    assertThat(decide(again, "resolve", "{\"outcome\":\"not_done\"}").status()).isEqualTo(200);
    assertThat(dispatches(again)).isEqualTo(2);
  }

  @Test
  void of_two_different_decisions_at_once_one_wins_and_the_other_is_told() throws Exception {
    String id = waiting("awaiting_approval", "keyed");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Integer>> racers =
          IntStream.range(0, 20)
              .<Callable<Integer>>mapToObj(
                  i -> () -> decide(id, i % 2 == 0 ? "approve" : "deny", "{}").status())
              .toList();
      List<Integer> statuses =
          threads.invokeAll(racers).stream().map(future -> future.resultNow()).toList();
      assertThat(statuses).containsOnly(200, 409);
      assertThat(statuses.stream().filter(status -> status == 200)).hasSize(10);
    }
    assertThat(dispatches(id)).isEqualTo(2);
  }

  @Test
  void an_ended_job_and_a_call_that_asks_for_nothing_are_not_decided() {
    String ended = waiting("awaiting_approval", "keyed");
    assertThat(acme.post("/v1/jobs/" + ended + "/cancel").text("/tool_calls/0/state"))
        .isEqualTo("not_run");
    Problems.assertThat(decide(ended, "approve", "{}")).is(409, "already_decided");

    String running = waiting("running", "keyed");
    Problems.assertThat(decide(running, "output", "{\"output\":1}")).is(409, "already_decided");
    Problems.assertThat(decide(running, "resolve", "{\"outcome\":\"not_done\"}"))
        .is(409, "already_decided");
  }

  @Test
  void an_erased_job_that_is_still_shown_is_not_called_unknown() {
    String id = waiting("awaiting_approval", "keyed");
    jobs.call(id, 2, "awaiting_approval", "keyed");
    assertThat(decide(id, 1, "deny", "{\"reason\":\"no\"}").status()).isEqualTo(200);
    acme.post("/v1/jobs/" + id + "/cancel");
    assertThat(acme.method("DELETE", "/v1/jobs/" + id).status()).isEqualTo(204);

    assertThat(decide(id, 1, "deny", "{\"reason\":\"no\"}").status()).isEqualTo(200);
    Problems.assertThat(decide(id, 1, "deny", "{\"reason\":\"else\"}")).is(409, "already_decided");
    Problems.assertThat(decide(id, 2, "approve", "{}")).is(409, "already_decided");
  }

  @Test
  void unknown_calls_and_other_tenants_jobs_are_not_found() {
    String id = waiting("awaiting_approval", "keyed");
    String path = "/v1/jobs/" + id + "/tool_calls/";
    Problems.assertThat(acme.post(path + UUID.randomUUID() + "/approve")).is(404, "not_found");
    Problems.assertThat(acme.post(path + "x/approve")).is(404, "not_found");
    Problems.assertThat(app.as("umbrella").post(path + Jobs.callId(id, 1) + "/approve"))
        .is(404, "job_not_found");
    Problems.assertThat(
            acme.post(
                "/v1/jobs/" + UUID.randomUUID() + "/tool_calls/" + Jobs.callId(id, 1) + "/approve"))
        .is(404, "job_not_found");
  }

  @Test
  void a_decision_that_cannot_be_read_says_why() {
    String id = waiting("awaiting_output", "client");
    Problems.assertThat(decide(id, "output", "{}")).is(400, "invalid_request");
    Problems.assertThat(decide(id, "output", "{\"output\":1,\"error\":\"x\"}"))
        .is(400, "invalid_request");
    Problems.assertThat(decide(id, "output", "{\"outputs\":1}")).is(400, "unknown_member");
    Problems.assertThat(decide(id, "resolve", "{\"outcome\":\"maybe\"}"))
        .is(400, "invalid_request");
    Problems.assertThat(decide(id, "resolve", "{\"outcome\":\"not_done\",\"result\":1}"))
        .is(400, "invalid_request");
    Problems.assertThat(decide(id, "deny", "{\"reason\":1}")).is(400, "invalid_request");
    Problems.assertThat(decide(id, "approve", "{\"x\":1}")).is(400, "unknown_member");
    Problems.assertThat(decide(id, "approve", "[]")).is(400, "invalid_request");
  }
}
