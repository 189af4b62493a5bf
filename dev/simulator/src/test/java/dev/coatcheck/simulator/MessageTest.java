package dev.coatcheck.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class MessageTest {
  private final Simulator simulator = Simulator.start();

  @AfterEach
  void stop() {
    simulator.close();
  }

  @Test
  void a_message_is_answered_in_its_own_shape() throws IOException {
    var answer =
        ask(
            """
            {"model":"claude-x","max_tokens":500,"system":"Be brief.",
            "messages":[{"role":"user","content":"Why is the sky blue?"}]}""");
    assertThat(answer.path("type").asString()).isEqualTo("message");
    assertThat(answer.path("model").asString()).isEqualTo("claude-x");
    assertThat(answer.path("content").path(0).path("text").asString()).contains("sky blue");
    assertThat(answer.path("stop_reason").asString()).isEqualTo("end_turn");
    assertThat(answer.path("usage").path("input_tokens").intValue()).isBetween(12, 24);
    assertThat(answer.path("usage").path("output_tokens").intValue()).isPositive();
  }

  @Test
  void a_message_ends_at_its_limit_of_tokens() throws IOException {
    var answer = ask("{\"max_tokens\":2,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}");
    assertThat(answer.path("stop_reason").asString()).isEqualTo("max_tokens");
    assertThat(answer.path("usage").path("output_tokens").intValue()).isEqualTo(2);
  }

  @Test
  void a_directed_tool_is_used_and_its_result_leaves_the_prompt_as_it_was() throws IOException {
    var directive = "[[sim: tool refund {\\\"id\\\":7}, text refunded]]";
    var asked = "{\"role\":\"user\",\"content\":\"" + directive + "\"}";
    var use = ask("{\"messages\":[" + asked + "]}");
    assertThat(use.path("stop_reason").asString()).isEqualTo("tool_use");
    assertThat(use.path("content").path(0).path("name").asString()).isEqualTo("refund");
    assertThat(use.path("content").path(0).path("input").path("id").intValue()).isEqualTo(7);
    var end =
        ask(
            "{\"messages\":["
                + asked
                + ",{\"role\":\"assistant\",\"content\":[]},{\"role\":\"user\",\"content\":"
                + "[{\"type\":\"tool_result\",\"tool_use_id\":\"toolu_sim1_0\",\"content\":\"ok\"}]}]}");
    assertThat(end.path("content").path(0).path("text").asString()).isEqualTo("refunded");
  }

  private JsonNode ask(String body) throws IOException {
    try (var caller = new Caller(simulator)) {
      caller.send(Caller.chatBody(body).replace("/chat/completions", "/messages"));
      var answered = caller.answer();
      assertThat(answered.status()).isEqualTo(200);
      return JsonMapper.shared().readTree(answered.body().array());
    }
  }
}
