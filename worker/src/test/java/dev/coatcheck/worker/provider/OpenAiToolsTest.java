package dev.coatcheck.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.provider.ProviderOutcome.Answered;
import dev.coatcheck.worker.provider.ProviderOutcome.Refused;
import dev.coatcheck.worker.provider.ToolResult.Kind;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tools in Chat Completions: offered, asked for, answered. */
class OpenAiToolsTest {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Body ASKED = Body.utf8("[ {\"role\":\"user\",\"content\":\"hi\"} ]");

  private final TestProvider provider = TestProvider.start();

  @AfterEach
  void stop() throws IOException {
    provider.close();
  }

  @Test
  void tools_are_offered_with_their_schema_as_it_is_spelt() {
    Body schema = Body.utf8("{ \"type\" : \"object\", \"minProperties\": 1.0 }");

    String sent =
        sent(
            new Dialogue(
                ASKED,
                List.of(),
                List.of(
                    new OfferedTool("refund", "Refund \"it\"", schema),
                    new OfferedTool("note", "", Body.utf8("{}")))));

    assertThat(sent)
        .contains(
            "\"tools\":[{\"type\":\"function\",\"function\":{\"name\":\"refund\","
                + "\"description\":\"Refund \\\"it\\\"\",\"parameters\":"
                + "{ \"type\" : \"object\", \"minProperties\": 1.0 }}},"
                + "{\"type\":\"function\",\"function\":{\"name\":\"note\",\"parameters\":{}}}]");
  }

  @Test
  void a_job_without_tools_offers_none() {
    assertThat(sent(Dialogue.of(ASKED))).doesNotContain("tools");
  }

  @Test
  void recorded_turns_follow_the_messages_byte_for_byte_and_results_come_in_call_order() {
    Body message = Body.utf8("{\"role\":\"assistant\" ,\"content\":null,\"x\":1.50}");

    String sent =
        sent(
            new Dialogue(
                ASKED,
                List.of(
                    new PastTurn(
                        message,
                        List.of(
                            new ToolResult("call_1", "f", "{\"a\":1}", Kind.RESULT),
                            new ToolResult("call_\u0000\ud800", "g", "no", Kind.ERROR)))),
                List.of()));

    assertThat(sent)
        .contains(
            "\"messages\":[ {\"role\":\"user\",\"content\":\"hi\"} ,"
                + "{\"role\":\"assistant\" ,\"content\":null,\"x\":1.50},"
                + "{\"role\":\"tool\",\"tool_call_id\":\"call_1\",\"content\":\"{\\\"a\\\":1}\"},"
                + "{\"role\":\"tool\",\"tool_call_id\":\"call_\\u0000\\ud800\",\"content\":\"no\"}]");
  }

  @Test
  void calls_are_read_in_their_order_whatever_they_hold() {
    Answer answer =
        answer(
            "[{\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{\\\"x\\\":\"}},"
                + "{\"function\":{\"name\":\"g\",\"arguments\":{\"x\":1}}},"
                + "{\"id\":\"c\",\"type\":\"custom\"},7]");

    assertThat(answer.toolCalls())
        .containsExactly(
            new ToolCall("a", "f", "{\"x\":"),
            new ToolCall("", "g", "{\"x\":1}"),
            new ToolCall("c", "", ""),
            new ToolCall("", "", ""));
  }

  @Test
  void tool_calls_that_are_no_list_are_none() {
    assertThat(answer("{\"id\":\"a\"}").toolCalls()).isEmpty();
  }

  @Test
  void more_calls_than_anybody_can_answer_are_no_usable_answer() {
    String calls = "[" + "{\"id\":\"a\"},".repeat(Answer.MAX_TOOL_CALLS) + "{\"id\":\"b\"}]";
    answers(calls);

    assertThat(provider.ask())
        .isInstanceOfSatisfying(
            Refused.class,
            refused -> assertThat(refused.failure().message()).contains("1001 tools"));
  }

  private String sent(Dialogue dialogue) {
    answers("[]");
    assertThat(provider.ask(dialogue, "{}", LONG)).isInstanceOf(Answered.class);
    return provider.server().requests().getFirst().body();
  }

  private Answer answer(String calls) {
    answers(calls);
    return ((Answered) provider.ask()).answer();
  }

  private void answers(String calls) {
    String body =
        "{\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":%s},\"finish_reason\":\"tool_calls\"}]}"
            .formatted(calls);
    provider.server().play(c -> c.answer(200, body));
  }
}
