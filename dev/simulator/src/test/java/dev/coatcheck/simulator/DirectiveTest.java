package dev.coatcheck.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class DirectiveTest {
  private final Simulator simulator = Simulator.start();

  @AfterEach
  void stop() {
    simulator.close();
  }

  @Test
  void steps_are_taken_one_a_request_and_the_last_is_repeated() throws IOException {
    var prompt = "Summarise. [[sim: 500, 429 retry-after=2, ok]]";
    try (var caller = new Caller(simulator)) {
      assertThat(caller.ask(prompt).status()).isEqualTo(500);
      var limited = caller.ask(prompt);
      assertThat(limited.status()).isEqualTo(429);
      assertThat(limited.header("retry-after")).isEqualTo("2");
      assertThat(caller.ask(prompt).text()).contains("Summarise.").doesNotContain("sim:");
      assertThat(caller.ask(prompt).status()).isEqualTo(200);
    }
  }

  @Test
  void each_prompt_has_its_own_sequence_and_an_id_joins_them() throws IOException {
    try (var caller = new Caller(simulator)) {
      assertThat(caller.ask("a [[sim: 500,200]]").status()).isEqualTo(500);
      assertThat(caller.ask("b [[sim: 500,200]]").status()).isEqualTo(500);
      assertThat(caller.ask("c [[sim: 500,200 id=j]]").status()).isEqualTo(500);
      assertThat(caller.ask("d [[sim: 500,200 id=j]]").status()).isEqualTo(200);
    }
  }

  @Test
  void tool_steps_follow_the_turns_of_the_conversation() throws IOException {
    var prompt = "[[sim: tool refund {\"ids\": [1, 2], \"x\": {\"y\": 3}}, text all done]]";
    var asked = Quote.of(prompt);
    var first = "{\"messages\":[{\"role\":\"user\",\"content\":" + asked + "}]}";
    var second =
        "{\"messages\":[{\"role\":\"user\",\"content\":"
            + asked
            + "},{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[]},"
            + "{\"role\":\"tool\",\"content\":\"ok\"}]}";
    try (var caller = new Caller(simulator)) {
      for (int again = 0; again < 2; again++) {
        var turn = choice(caller.send(Caller.chatBody(first)).answer());
        assertThat(turn.path("finish_reason").asString()).isEqualTo("tool_calls");
        var call = turn.path("message").path("tool_calls").path(0);
        assertThat(call.path("function").path("name").asString()).isEqualTo("refund");
        assertThat(call.path("function").path("arguments").asString())
            .isEqualTo("{\"ids\": [1, 2], \"x\": {\"y\": 3}}");
      }
      var end = choice(caller.send(Caller.chatBody(second)).answer());
      assertThat(end.path("message").path("content").asString()).isEqualTo("all done");
    }
  }

  @Test
  void a_directed_delay_replaces_the_usual_latency() throws IOException {
    var slow = SimulatorSettings.quick().with(Latency.fixed(Duration.ofHours(1)));
    try (var simulator = Simulator.start(slow);
        var caller = new Caller(simulator)) {
      long start = System.nanoTime();
      assertThat(caller.ask("[[sim: ok delay=60ms]]").status()).isEqualTo(200);
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(60_000_000);
    }
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          ok, Completion
          200, Completion
          length, Completion
          filter, Completion
          help, Completion
          text hello there, Completion
          tool lookup, Completion
          503, Reply
          529, Reply
          429 retry-after=-5, Reply
          quota retry-after=9, Reply
          badjson, Reply
          html, Reply
          error200, Reply
          empty, Reply
          nobody, Reply
          hang, Nothing
          close, Nothing
          reset, Nothing
          reset-headers, Partial
          reset-body, Partial
          stall, Partial
          cut, Partial
          cut-chunked, Partial
          trickle, Trickle
          trickle every=1ms, Trickle
          endless, Endless
          bomb, GzipBomb
          last, Parted
          junk, Raw
          delay=5s, Delayed
          delay=5s hang, Delayed
          429 retry-after=2 delay=1s, Delayed
          """)
  void every_step_is_understood(String step, String kind) {
    var answer = Directive.in("[[sim: " + step + "]]").orElseThrow().step(0);
    assertThat(answer.getClass().getSimpleName()).isEqualTo(kind);
    assertThat(isComplaint(answer)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "explode",
        "99",
        "100",
        "600",
        "429 retry-after",
        "ok retry-after=2",
        "500 every=5ms",
        "500 cut-after=1",
        "ok cut-after=-1",
        "ok cut-after=x",
        "500 delay=soon",
        "500 delay=-1s",
        "500 colour=blue",
        "tool",
        "tool two words {}",
        "500 502"
      })
  void a_step_that_is_not_understood_is_answered_with_400(String step) {
    assertThat(isComplaint(Directive.in("[[sim: " + step + "]]").orElseThrow().step(0))).isTrue();
  }

  @Test
  void help_lists_every_step_it_knows() throws IOException {
    try (var caller = new Caller(simulator)) {
      assertThat(caller.ask("[[sim: help]]").text()).contains("reset-headers").contains("badjson");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "no directive", "[[sim]]", "[[sim: hang", "sim: hang]]", "[sim: hang]"})
  void other_prompts_direct_nothing(String prompt) {
    assertThat(Directive.in(prompt)).isEmpty();
    assertThat(Directive.strip(prompt)).isEqualTo(prompt);
  }

  private static boolean isComplaint(Answer answer) {
    return answer instanceof Reply reply && reply.body().text().contains("does not understand");
  }

  private static JsonNode choice(Caller.Answered answered) {
    return JsonMapper.shared().readTree(answered.body().array()).path("choices").path(0);
  }
}
