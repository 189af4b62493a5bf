package dev.coatcheck.worker.run;

import static dev.coatcheck.simulator.Match.path;
import static dev.coatcheck.simulator.Match.prompt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.simulator.Answer;
import dev.coatcheck.simulator.Body;
import dev.coatcheck.simulator.Completion;
import dev.coatcheck.simulator.LedgerEntry;
import dev.coatcheck.simulator.Match;
import dev.coatcheck.simulator.ReceivedRequest;
import dev.coatcheck.simulator.Reply;
import dev.coatcheck.simulator.ToolCall;
import dev.coatcheck.worker.run.Rig.Terms;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A whole worker against the simulator, which is the model and the tools: the loop. */
class ToolsTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String CANARY = "tool-secret-canary-0123456789";
  private static final String TOOLS =
      """
      {"tools":[
        {"name":"look","safety":"read-only","url":"${TOOL_URL}/look","timeout":"PT20S",
         "parameters":{"type":"object","properties":{"order":{"type":"string"}},"required":["order"]}},
        {"name":"refund","description":"Refund an order","safety":"keyed","url":"${TOOL_URL}/refund",
         "timeout":"PT2S","headers":{"Authorization":"Bearer %s"},
         "parameters":{"type":"object","properties":{"order":{"type":"string"}},"required":["order"],
           "additionalProperties":false}},
        {"name":"mail","safety":"at-most-once","url":"${TOOL_URL}/mail","timeout":"PT2S"},
        {"name":"note","safety":"transactional","timeout":"PT1S",
         "sql":"insert into refund_note (order_id, effect_key, amount, extra) values (:order, :effect_key, :amount, :extra) returning order_id, amount, extra"},
        {"name":"count","safety":"transactional",
         "sql":"update refund_note set amount = amount + 1 where order_id = :order"},
        {"name":"sleepy","safety":"transactional","timeout":"PT0.2S","sql":"select pg_sleep(5)"},
        {"name":"broken","safety":"transactional","sql":"insert into nowhere values (1)"},
        {"name":"ask","safety":"client"},
        {"name":"nowhere","safety":"at-most-once","url":"http://127.0.0.1:1/"}
      ]}
      """
          .formatted(CANARY);

  private static Rig rig;

  @BeforeAll
  static void start() {
    rig = Rig.withTools(TOOLS, Probe.inert());
    rig.engine
        .sql()
        .sql(
            "create table refund_note (order_id text, effect_key text unique, amount numeric, extra jsonb)")
        .update();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @AfterEach
  void no_connection_was_held_over_a_call() {
    rig.probe.assertNoneHeldDuringCalls();
  }

  /** A job whose model asks for these in its first turn and is content after that. */
  private static JobId job(String marker, ToolCall... calls) {
    return job(marker, Terms.usual(), calls);
  }

  private static JobId job(String marker, Terms terms, ToolCall... calls) {
    rig.simulator.queue(prompt(marker), Completion.calling(calls), Completion.saying("all done"));
    return submit(marker, terms);
  }

  private static JobId submit(String marker, Terms terms) {
    return rig.submitBody(
        """
        {"prompt":"%s","metadata":{"team":"blue"},
         "tools":["look","refund","mail","note","count","sleepy","broken","ask","nowhere","missing"]}
        """
            .formatted(marker),
        terms);
  }

  private static ToolCall call(String name, String arguments) {
    return new ToolCall(name, arguments);
  }

  private static Map<String, @Nullable Object> onlyCall(JobId job) {
    assertThat(rig.calls(job)).hasSize(1);
    return rig.calls(job).getFirst();
  }

  private static String text(@Nullable Object bytes) {
    return new String((byte[]) Objects.requireNonNull(bytes), StandardCharsets.UTF_8);
  }

  /** What the model was sent in its nth turn. */
  private static String turn(String marker, int nth) {
    return rig.simulator.ledger().asked(marker).get(nth - 1).request().body().text();
  }

  private static List<ReceivedRequest> received(String tool, JobId job) {
    return rig
        .simulator
        .ledger()
        .entries(entry -> entry.request().path().equals("/tools/" + tool))
        .stream()
        .map(LedgerEntry::request)
        .filter(request -> request.body().text().contains(job.toString()))
        .toList();
  }

  private static Match tool(String name, String marker) {
    return path("/tools/" + name).and(Match.body(marker));
  }

  @Test
  void a_tools_result_goes_back_to_the_model_and_usage_adds_up() {
    rig.simulator.always(tool("refund", "o-1"), Reply.json(200, "{ \"ok\" :1.0}"));
    JobId job = job("simple refund", call("refund", "{\"order\":\"o-1\"}"));

    assertThat(rig.ended(job))
        .containsEntry("status", "completed")
        .containsEntry("finish_reason", "stop");
    Map<String, @Nullable Object> call = onlyCall(job);
    assertThat(call).containsEntry("state", "done").containsEntry("safety", "keyed");
    assertThat(text(call.get("result"))).isEqualTo("{ \"ok\" :1.0}");
    assertThat(received("refund", job))
        .singleElement()
        .satisfies(
            request -> {
              assertThat(request.headers().all("idempotency-key"))
                  .containsExactly(String.valueOf(call.get("effect_key")));
              assertThat(request.headers().all("authorization"))
                  .containsExactly("Bearer " + CANARY);
              assertThat(request.body().text())
                  .contains("\"arguments\":{\"order\":\"o-1\"}")
                  .contains("\"tool_call_id\":\"" + call.get("id") + "\"")
                  .contains("\"tenant\":\"default\"", "\"metadata\":{\"team\":\"blue\"}");
            });
    assertThat(turn("simple refund", 1))
        .contains("\"tools\":[", "\"description\":\"Refund an order\"")
        .doesNotContain("missing");
    assertThat(turn("simple refund", 2))
        .contains("\"role\":\"tool\",\"tool_call_id\":\"call_sim")
        .contains("\"content\":\"{ \\\"ok\\\" :1.0}\"");
    assertThat(rig.attempts(job)).hasSize(2);
    assertThat(rig.attempts(job))
        .allSatisfy(attempt -> assertThat(attempt).containsEntry("state", "answered"));
  }

  @Test
  void a_lost_reply_of_a_keyed_tool_is_asked_for_again_under_the_same_key() {
    rig.simulator.queue(tool("refund", "o-2"), Answer.reset(), Reply.json(200, "{}"));
    JobId job = job("lost reply", call("refund", "{\"order\":\"o-2\"}"));

    assertThat(rig.ended(job)).containsEntry("status", "completed");
    assertThat(received("refund", job))
        .hasSize(2)
        .extracting(request -> request.headers().all("idempotency-key"))
        .containsOnly(List.of(String.valueOf(onlyCall(job).get("effect_key"))));
    assertThat(onlyCall(job))
        .containsEntry("state", "done")
        .containsEntry("sends", 2)
        .containsEntry("reply_lost", true);
  }

  @Test
  void a_keyed_tool_that_never_answers_is_in_doubt_and_one_that_refuses_is_told() {
    rig.simulator.always(tool("refund", "o-3"), Answer.hangUp());
    JobId doubtful = job("never answers", call("refund", "{\"order\":\"o-3\"}"));
    rig.awaitStatus(doubtful, "requires_action");
    assertThat(rig.job(doubtful))
        .containsEntry("reason_code", "tool_in_doubt")
        .containsEntry("lease_owner", null);
    assertThat(received("refund", doubtful)).hasSize(4);

    rig.simulator.always(tool("refund", "o-4"), Reply.json(503, "{\"why\":\"closed\"}"));
    JobId refused = job("always refuses", call("refund", "{\"order\":\"o-4\"}"));
    assertThat(rig.ended(refused)).containsEntry("status", "completed");
    assertThat(onlyCall(refused)).containsEntry("state", "failed");
    assertThat(turn("always refuses", 2)).contains("refund answered 503").contains("closed");
    assertThat(received("refund", refused)).hasSize(4);
  }

  @Test
  void an_at_most_once_tool_is_sent_once_and_an_unknown_outcome_waits_for_a_person() {
    rig.simulator.always(tool("mail", "o-5"), Answer.reset());
    JobId job = job("mail lost", call("mail", "{\"order\":\"o-5\"}"));
    rig.awaitStatus(job, "requires_action");
    assertThat(onlyCall(job)).containsEntry("state", "in_doubt");
    assertThat(received("mail", job)).hasSize(1);

    rig.simulator.always(tool("mail", "o-6"), Reply.json(500, "{}"));
    JobId broken = job("mail broken", call("mail", "{\"order\":\"o-6\"}"));
    rig.awaitStatus(broken, "requires_action");
    assertThat(received("mail", broken)).hasSize(1);
  }

  @Test
  void where_nothing_was_sent_even_an_at_most_once_tool_is_tried_again_and_the_model_told() {
    JobId job = job("refused connection", call("nowhere", "{}"));
    assertThat(rig.ended(job)).containsEntry("status", "completed");
    assertThat(onlyCall(job)).containsEntry("state", "failed").containsEntry("sends", 4);
    assertThat(turn("refused connection", 2)).contains("the connection was refused");
  }

  @Test
  void a_tool_error_is_the_models_and_not_asked_again() {
    rig.simulator.always(tool("mail", "o-7"), Reply.json(422, "{\"error\":\"no such order\"}"));
    JobId job = job("tool error", call("mail", "{\"order\":\"o-7\"}"));
    assertThat(rig.ended(job)).containsEntry("status", "completed");
    assertThat(onlyCall(job)).containsEntry("state", "failed");
    assertThat(received("mail", job)).hasSize(1);
    assertThat(turn("tool error", 2)).contains("mail answered 422").contains("no such order");
  }

  @Test
  void faulty_calls_never_reach_a_tool_and_the_model_is_told_precisely() {
    JobId job =
        job(
            "faulty calls",
            call("refund", "{\"order\":7}"),
            call("refund", "{\"order\":\"x\",\"more\":1}"),
            call("refund", "{\"order\":"),
            call("refund", "[1]"),
            call("missing", "{}"),
            call("unheard_of", "{}"));
    assertThat(rig.ended(job)).containsEntry("status", "completed");
    assertThat(rig.calls(job))
        .hasSize(6)
        .allSatisfy(call -> assertThat(call).containsEntry("state", "failed"));
    assertThat(received("refund", job)).isEmpty();
    assertThat(rig.calls(job))
        .extracting(call -> String.valueOf(call.get("error")))
        .satisfiesExactly(
            error -> assertThat(error).contains("/order", "string"),
            error -> assertThat(error).contains("more"),
            error -> assertThat(error).contains("not JSON"),
            error -> assertThat(error).contains("must be a JSON object"),
            error -> assertThat(error).contains("tool_unknown", "missing", "look, refund"),
            error -> assertThat(error).contains("tool_unknown", "unheard_of"));
    assertThat(turn("faulty calls", 2)).contains("tool_unknown");
  }

  @Test
  void the_calls_of_the_last_allowed_turn_are_not_run() {
    rig.simulator.always(tool("refund", "o-8"), Reply.json(200, "{}"));
    rig.simulator.always(
        prompt("never content"), Completion.calling(call("refund", "{\"order\":\"o-8\"}")));
    JobId job = submit("never content", Terms.usual().turns(2));
    assertThat(rig.ended(job))
        .containsEntry("status", "incomplete")
        .containsEntry("finish_reason", "turn_limit")
        .containsEntry("error_code", "turn_limit");
    assertThat(rig.calls(job))
        .extracting(call -> call.get("state"))
        .containsExactly("done", "not_run");
    assertThat(received("refund", job)).hasSize(1);
  }

  @Test
  void sql_tools_do_and_record_in_one_transaction() {
    JobId job =
        job(
            "sql tools",
            call("note", "{\"order\":\"s-1\",\"amount\":1.50,\"extra\":{\"a\":[1]}}"),
            call("broken", "{}"),
            call("sleepy", "{}"));
    assertThat(rig.ended(job)).containsEntry("status", "completed");
    List<Map<String, @Nullable Object>> calls = rig.calls(job);
    assertThat(calls.get(0)).containsEntry("state", "done");
    assertThat(text(calls.get(0).get("result")))
        .isEqualTo("[{\"order_id\":\"s-1\",\"amount\":1.50,\"extra\":{\"a\": [1]}}]");
    assertThat(calls.get(1)).containsEntry("state", "failed");
    assertThat(String.valueOf(calls.get(1).get("error"))).contains("42P01", "nowhere");
    assertThat(calls.get(2)).containsEntry("state", "failed");
    assertThat(String.valueOf(calls.get(2).get("error"))).contains("57014", "timeout");
    assertThat(
            rig.engine
                .sql()
                .sql("select effect_key from refund_note where order_id = 's-1'")
                .query(String.class)
                .single())
        .isEqualTo(calls.get(0).get("effect_key"));

    JobId counting = job("sql counts", call("count", "{\"order\":\"s-1\"}"));
    rig.ended(counting);
    assertThat(text(onlyCall(counting).get("result"))).isEqualTo("1");
  }

  @Test
  void calls_of_one_turn_run_side_by_side_and_results_keep_their_order() {
    rig.simulator.script(
        tool("refund", "par-"),
        (request, nth) ->
            Reply.json(200, "\"" + request.body().text().replaceAll(".*(par-\\d).*", "$1") + "\"")
                .after(Duration.ofSeconds(1)));
    ToolCall[] calls = new ToolCall[8];
    for (int i = 0; i < calls.length; i++) {
      calls[i] = call("refund", "{\"order\":\"par-" + i + "\"}");
    }
    long start = System.nanoTime();
    JobId job = job("side by side", calls);
    rig.ended(job);
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    assertThat(rig.calls(job))
        .extracting(call -> text(call.get("result")))
        .containsExactly(
            "\"par-0\"",
            "\"par-1\"",
            "\"par-2\"",
            "\"par-3\"",
            "\"par-4\"",
            "\"par-5\"",
            "\"par-6\"",
            "\"par-7\"");
    assertThat(turn("side by side", 2))
        .containsSubsequence("par-0\\\"\"}", "par-1\\\"\"}", "par-7\\\"\"}");
  }

  @Test
  void a_long_wait_that_a_tool_asks_for_is_parked_and_nothing_is_held_meanwhile() {
    rig.simulator.queue(
        tool("look", "o-9"),
        Reply.json(429, "{}").with("retry-after", "3"),
        Reply.json(200, "{\"seen\":true}"));
    JobId job = job("tool limit", call("look", "{\"order\":\"o-9\"}"));
    await().atMost(SOON).until(() -> rig.job(job).get("reason_code") != null);
    assertThat(rig.job(job))
        .containsEntry("status", "queued")
        .containsEntry("reason_code", "rate_limited")
        .containsEntry("lease_owner", null);
    assertThat(String.valueOf(rig.job(job).get("reason_detail"))).contains("look answered 429");
    assertThat(rig.ended(job)).containsEntry("status", "completed");
    assertThat(received("look", job)).hasSize(2);
    assertThat(
            Duration.between(
                received("look", job).get(0).arrivedAt(), received("look", job).get(1).arrivedAt()))
        .isGreaterThanOrEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void odd_answers_are_results_where_they_can_be() {
    rig.simulator.always(tool("look", "html"), Reply.html(200, "<b>plain words</b>"));
    rig.simulator.always(tool("look", "nothing"), Reply.of(204, "text/plain", Body.text("")));
    rig.simulator.always(
        tool("mail", "moved"), Reply.json(302, "{}").with("location", "/tools/refund"));
    JobId job =
        job(
            "odd answers",
            call("look", "{\"order\":\"html\"}"),
            call("look", "{\"order\":\"nothing\"}"),
            call("mail", "{\"order\":\"moved\"}"));
    rig.awaitStatus(job, "requires_action");
    List<Map<String, @Nullable Object>> calls = rig.calls(job);
    assertThat(text(calls.get(0).get("result"))).isEqualTo("<b>plain words</b>");
    assertThat(calls.get(0)).containsEntry("result_kind", "text");
    assertThat(calls.get(1)).containsEntry("state", "done").containsEntry("result", null);
    assertThat(calls.get(2)).containsEntry("state", "in_doubt");
    assertThat(received("refund", job)).isEmpty();
  }

  @Test
  void large_results_are_cut_for_the_model_and_larger_ones_are_not_kept() {
    rig.simulator.always(tool("look", "large"), Reply.json(200, "\"" + "x".repeat(2 << 20) + "\""));
    rig.simulator.always(
        tool("look", "huge"), new Answer.Endless(Reply.json(200, " ".repeat(64 << 10))));
    JobId job =
        job(
            "large results",
            call("look", "{\"order\":\"large\"}"),
            call("look", "{\"order\":\"huge\"}"));
    rig.ended(job);
    List<Map<String, @Nullable Object>> calls = rig.calls(job);
    assertThat((byte[]) Objects.requireNonNull(calls.get(0).get("result"))).hasSize((2 << 20) + 2);
    assertThat(calls.get(1)).containsEntry("state", "failed");
    assertThat(String.valueOf(calls.get(1).get("error"))).contains("larger than 8 MiB");
    assertThat(turn("large results", 2))
        .hasSizeLessThan((1 << 20) + 10_000)
        .contains("[Cut: these are the first 1,048,576 of 2,097,154 bytes of the result.]");
  }

  @Test
  void what_all_results_add_to_a_request_is_bounded_and_the_oldest_is_left_out_first() {
    rig.simulator.always(
        tool("look", "bulk"), Reply.json(200, "\"" + "y".repeat((1 << 20) - 2) + "\""));
    ToolCall[] calls = new ToolCall[5];
    Arrays.fill(calls, call("look", "{\"order\":\"bulk\"}"));
    JobId job = job("bulky", calls);
    rig.ended(job);
    assertThat(turn("bulky", 2))
        .hasSizeLessThan((4 << 20) + 20_000)
        .containsOnlyOnce("[Left out: this result of 1,048,576 bytes.");
    assertThat(turn("bulky", 2).indexOf("[Left out")).isLessThan(turn("bulky", 2).indexOf("yyyy"));
  }

  @Test
  void a_tool_that_runs_while_its_job_is_cancelled_still_records_what_it_did() {
    rig.simulator.always(
        tool("refund", "o-10"), Reply.json(200, "{\"ok\":1}").after(Duration.ofSeconds(1)));
    JobId job = job("cancelled meanwhile", call("refund", "{\"order\":\"o-10\"}"));
    await().atMost(SOON).until(() -> !received("refund", job).isEmpty());
    rig.cancel(job);
    await().atMost(SOON).until(() -> Objects.equals(onlyCall(job).get("state"), "done"));
    assertThat(rig.job(job)).containsEntry("status", "cancelled");
    assertThat(rig.simulator.ledger().asked("cancelled meanwhile")).hasSize(1);
  }

  @Test
  void a_client_tool_waits_without_lease_or_slot_until_the_deadline() {
    JobId job =
        job("for the client", Terms.usual().deadline(Duration.ofSeconds(3)), call("ask", "{}"));
    rig.awaitStatus(job, "requires_action");
    assertThat(rig.job(job))
        .containsEntry("reason_code", "awaiting_tool_output")
        .containsEntry("lease_owner", null)
        .containsEntry("lease_expires_at", null);
    await().atMost(SOON).until(() -> rig.slots().permits() == rig.slots().capacity());
    assertThat(rig.ended(job)).containsEntry("status", "expired");
    assertThat(onlyCall(job)).containsEntry("state", "not_run");
  }

  @Test
  void a_tools_credential_is_nowhere_but_on_the_wire_to_that_tool() {
    rig.simulator.script(
        tool("refund", "echo"),
        (request, nth) ->
            Reply.json(
                nth == 1 ? 200 : 400,
                "{\"sent\":\"" + request.headers().all("authorization").getFirst() + "\"}"));
    JobId job =
        job(
            "echoing tool",
            call("refund", "{\"order\":\"echo\"}"),
            call("refund", "{\"order\":\"echo\"}"));
    rig.ended(job);
    assertThat(turn("echoing tool", 2)).contains("***").doesNotContain(CANARY);
    for (String table : tables()) {
      String rows =
          rig.engine
              .sql()
              .sql("select coalesce(string_agg(t::text, ' '), '') from " + table + " as t")
              .query(String.class)
              .single();
      assertThat(rows).doesNotContain(CANARY, hex(CANARY));
    }
  }

  private static List<String> tables() {
    return rig.engine
        .sql()
        .sql(
            "select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'")
        .query((row, index) -> row.getString(1))
        .list();
  }

  private static String hex(String text) {
    return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
  }
}
