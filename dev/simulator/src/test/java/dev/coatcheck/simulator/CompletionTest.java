package dev.coatcheck.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class CompletionTest {
  private final Simulator simulator = Simulator.start();

  @AfterEach
  void stop() {
    simulator.close();
  }

  @Test
  void it_answers_about_the_prompt_in_the_shape_of_a_chat_completion() throws IOException {
    var answer =
        ask(
            "{\"model\":\"gpt-x\",\"messages\":[{\"role\":\"user\",\"content\":\"Why is the sky blue?\"}]}");
    assertThat(answer.path("object").asString()).isEqualTo("chat.completion");
    assertThat(answer.path("id").asString()).isEqualTo("chatcmpl-sim1");
    assertThat(answer.path("model").asString()).isEqualTo("gpt-x");
    assertThat(content(answer)).contains("“Why is the sky blue?”").contains("5 words");
    assertThat(finishReason(answer)).isEqualTo("stop");
  }

  @Test
  void tokens_grow_with_the_text_and_add_up() throws IOException {
    var small = usage("hello");
    var large = usage("hello ".repeat(400));
    assertThat(large.path("prompt_tokens").intValue()).isBetween(590, 640);
    assertThat(small.path("prompt_tokens").intValue()).isBetween(5, 20);
    assertThat(large.path("total_tokens").intValue())
        .isEqualTo(
            large.path("prompt_tokens").intValue() + large.path("completion_tokens").intValue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"max_completion_tokens", "max_tokens"})
  void it_stops_at_the_limit_of_tokens(String name) throws IOException {
    var answer =
        ask(
            "{\""
                + name
                + "\":3,\"messages\":[{\"role\":\"user\",\"content\":\"tell me everything\"}]}");
    assertThat(content(answer)).isEqualTo("You wrote: “");
    assertThat(finishReason(answer)).isEqualTo("length");
    assertThat(answer.path("usage").path("completion_tokens").intValue()).isEqualTo(3);
  }

  @Test
  void a_limit_never_splits_a_character() throws IOException {
    simulator.always(Match.any(), Completion.saying("abc😀def"));
    var answer = ask("{\"max_tokens\":1,\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}");
    assertThat(content(answer)).isEqualTo("abc");
  }

  @Test
  void the_last_message_of_the_user_counts_also_in_parts() throws IOException {
    var answer =
        ask(
            """
            {"messages":[{"role":"user","content":"old"},{"role":"assistant","content":"yes"},
            {"role":"user","content":[{"type":"text","text":"new "},{"type":"text","text":"one"}]},
            {"role":"tool","content":"result"}]}""");
    assertThat(content(answer)).contains("“new one”").doesNotContain("old");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\\u0000",
        "before \\ud800 after",
        "\\udc00",
        "\\ud83d\\ude00",
        "\\\"quoted\\\\",
        "tab\\tline\\nbreak\\r",
        "\\u2028",
        "é 漢 😀"
      })
  void any_lawful_json_string_is_answered_with_lawful_json(String escaped) throws IOException {
    var answer = ask("{\"messages\":[{\"role\":\"user\",\"content\":\"say " + escaped + "\"}]}");
    assertThat(content(answer)).contains("say").doesNotContain("\u0000").doesNotContain("\ud800 ");
    assertThat(simulator.ledger().asked("say")).hasSize(1);
  }

  @Test
  void a_scripted_text_keeps_its_nuls_and_lone_surrogates() throws IOException {
    simulator.always(Match.any(), Completion.saying("a\u0000b\ud800c"));
    assertThat(content(ask("{\"messages\":[]}"))).isEqualTo("a\u0000b\ud800c");
  }

  @Test
  void json_is_answered_with_json_where_it_was_asked_for() throws IOException {
    var answer =
        ask(
            """
            {"response_format":{"type":"json_object"},
            "messages":[{"role":"user","content":"two words"}]}""");
    var told = JsonMapper.shared().readTree(content(answer));
    assertThat(told.path("prompt").asString()).isEqualTo("two words");
    assertThat(told.path("words").intValue()).isEqualTo(2);
  }

  @Test
  void tool_calls_have_new_ids_each_time_they_are_asked_for() throws IOException {
    simulator.always(
        Match.any(),
        Completion.calling(new ToolCall("a", "{\"x\":1}"), new ToolCall("b", "not json")));
    var first = message(ask("{\"messages\":[]}")).path("tool_calls");
    var second = message(ask("{\"messages\":[]}")).path("tool_calls");
    assertThat(first.size()).isEqualTo(2);
    assertThat(first.path(1).path("function").path("arguments").asString()).isEqualTo("not json");
    assertThat(first.path(0).path("id").asString())
        .isNotEqualTo(first.path(1).path("id").asString())
        .isNotEqualTo(second.path(0).path("id").asString());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{}", "{\"messages\":7}", "{\"messages\":[1,null,{}]}", "{\"model\":null}"})
  void requests_of_odd_shapes_are_answered_too(String body) throws IOException {
    assertThat(content(ask(body))).isNotEmpty();
  }

  private JsonNode usage(String prompt) throws IOException {
    return ask("{\"messages\":[{\"role\":\"user\",\"content\":" + Quote.of(prompt) + "}]}")
        .path("usage");
  }

  private JsonNode ask(String body) throws IOException {
    try (var caller = new Caller(simulator)) {
      var answered = caller.send(Caller.chatBody(body)).answer();
      assertThat(answered.status()).isEqualTo(200);
      return JsonMapper.shared().readTree(answered.body().array());
    }
  }

  private static JsonNode message(JsonNode answer) {
    return answer.path("choices").path(0).path("message");
  }

  private static String content(JsonNode answer) {
    return message(answer).path("content").asString();
  }

  private static String finishReason(JsonNode answer) {
    return answer.path("choices").path(0).path("finish_reason").asString();
  }
}
