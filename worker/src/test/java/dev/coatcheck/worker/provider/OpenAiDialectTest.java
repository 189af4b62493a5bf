package dev.coatcheck.worker.provider;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.egress.AbortReason;
import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.egress.OutboundCall;
import dev.coatcheck.worker.egress.Secret;
import dev.coatcheck.worker.provider.ProviderOutcome.Aborted;
import dev.coatcheck.worker.provider.ProviderOutcome.Answered;
import dev.coatcheck.worker.raw.Conversation;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class OpenAiDialectTest {
  private static final Duration LONG = Duration.ofSeconds(10);

  private final TestProvider provider =
      TestProvider.start(
          Map.of("X-Title", Secret.of("Coat check")),
          Map.of("api-version", Secret.of("2024 10&21")));

  @AfterEach
  void stop() throws IOException {
    provider.close();
  }

  private Answer answer(String body) {
    provider.server().play(c -> c.answer(200, body, "x-request-id: req_7"));
    return ((Answered) provider.ask()).answer();
  }

  private static String message(String message) {
    return "{\"id\":\"1\",\"choices\":[{\"index\":0,\"message\":"
        + message
        + ",\"finish_reason\":\"stop\"}]}";
  }

  @Test
  void messages_and_params_travel_untouched() {
    String messages =
        "[ {\"role\":\"user\", \"content\":\"NUL \\u0000, half \\ud800, ü\", \"z\":1, \"a\":1.0e+2} ]";
    String params = " { \"temperature\" : 0.70,\n \"seed\": 12345678901234567890123 , \"x\":{} } ";

    provider.ask(messages, params, LONG);

    assertThat(provider.server().requests().getFirst().body())
        .isEqualTo(
            "{\"model\":\"gpt-5-mini\",\"messages\":"
                + messages
                + ", \"temperature\" : 0.70,\n \"seed\": 12345678901234567890123 , \"x\":{} }");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", " { } ", "{\n}"})
  void empty_params_add_nothing(String params) {
    provider.ask("[]", params, LONG);

    assertThat(provider.server().requests().getFirst().body())
        .isEqualTo("{\"model\":\"gpt-5-mini\",\"messages\":[]}");
  }

  @Test
  void the_credential_the_headers_and_the_query_go_along() {
    provider.ask();

    Conversation.Request request = provider.server().requests().getFirst();
    assertThat(request.line())
        .isEqualTo("POST /v1/chat/completions?api-version=2024%2010%2621 HTTP/1.1");
    assertThat(request.header("authorization")).contains("Bearer " + TestProvider.API_KEY);
    assertThat(request.header("x-title")).contains("Coat check");
    assertThat(request.header("content-type")).contains("application/json");
  }

  @Test
  void a_models_name_is_written_as_json() {
    var request =
        new TurnRequest("a\"b\\c/ü", Dialogue.of(Body.utf8("[]")), Body.utf8("{}"), null, LONG);

    assertThat(provider.provider().ask(request, new OutboundCall())).isNotNull();

    assertThat(provider.server().requests().getFirst().body())
        .startsWith("{\"model\":\"a\\\"b\\\\c/\\u00fc\",");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"role\":\"assistant\",\"content\":\"hello\"}",
        "{ \"z\":1, \"role\" : \"assistant\", \"content\":\"NUL \\u0000 \\ud83d half\", \"n\":1.50e+3, \"big\":123456789012345678901234567890 }",
        "{\"content\":\"ü \\u00fc 😀\",\"role\":\"assistant\",\"content\":\"the last counts\"}",
        "{\"role\":\"assistant\",\"content\":\"a\\\"}]{[\\\\\",\"x\":[[{\"message\":{\"content\":\"no\"}}]]}",
        "{\"role\":\"assistant\",\"content\":\"\"}"
      })
  void the_message_is_kept_byte_for_byte(String message) {
    Answer answer = answer(message(message));

    assertThat(answer.message().text()).isEqualTo(message);
    assertThat(message).contains(Objects.requireNonNull(answer.outputText()).text());
  }

  @Test
  void white_space_and_a_byte_order_mark_do_not_shift_the_slices() {
    String json = "\uFEFF \n" + message("{\"role\":\"assistant\",\"content\":\"ü\"}");

    Answer answer = answer(json);

    assertThat(answer.message().text()).isEqualTo("{\"role\":\"assistant\",\"content\":\"ü\"}");
    assertThat(Objects.requireNonNull(answer.outputText()).text()).isEqualTo("\"ü\"");
  }

  @Test
  void a_long_answer_is_sliced_where_it_should_be() {
    String words = "wörd \\ud800 ".repeat(100_000);
    String message = "{\"role\":\"assistant\",\"content\":\"" + words + "\"}";

    Answer answer = answer(message(message));

    assertThat(answer.message().length()).isEqualTo(message.getBytes(UTF_8).length);
    assertThat(answer.message().text()).isEqualTo(message);
    assertThat(Objects.requireNonNull(answer.outputText()).text()).isEqualTo("\"" + words + "\"");
  }

  @Test
  void the_text_of_a_content_in_parts_is_put_together() {
    Answer answer =
        answer(
            message(
                "{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":\"a\\ud800\"},"
                    + "{\"type\":\"image\"},{\"type\":\"text\",\"text\":\"ü\\\"\"}]}"));

    assertThat(Objects.requireNonNull(answer.outputText()).text())
        .isEqualTo("\"a\\ud800\\u00fc\\\"\"");
  }

  @Test
  void the_first_choice_counts() {
    Answer answer =
        answer(
            "{\"choices\":[{\"message\":{\"content\":\"one\"},\"finish_reason\":\"length\"},"
                + "{\"message\":{\"content\":\"two\"},\"finish_reason\":\"stop\"}]}");

    assertThat(Objects.requireNonNull(answer.outputText()).text()).isEqualTo("\"one\"");
    assertThat(answer.finishReason()).isEqualTo("length");
    assertThat(answer.stoppedShort()).isTrue();
  }

  @Test
  void a_message_that_only_asks_for_tools_is_an_answer() {
    Answer answer =
        answer(
            message(
                "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"call_1\","
                    + "\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}"));

    assertThat(answer.toolCalls()).containsExactly(new ToolCall("call_1", "f", "{}"));
    assertThat(answer.outputText()).isNull();
    assertThat(answer.stoppedShort()).isFalse();
  }

  @Test
  void an_error_of_nothing_is_no_error() {
    assertThat(
            answer(
                "{\"error\":null,\"choices\":[{\"message\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}"))
        .isNotNull();
    assertThat(
            answer(
                "{\"error\":{},\"choices\":[{\"message\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}"))
        .isNotNull();
  }

  @Test
  void usage_is_kept_as_sent_and_absent_usage_is_unknown() {
    Answer with =
        answer(
            "{\"choices\":[{\"message\":{\"content\":\"x\"}}],\"usage\": {\"prompt_tokens\": 10 , \"cost\":0.10}}");

    Usage usage = Objects.requireNonNull(with.usage());
    assertThat(usage.json().text()).isEqualTo("{\"prompt_tokens\": 10 , \"cost\":0.10}");
    assertThat(usage.input()).isEqualTo(10);
    assertThat(usage.output()).isNull();
    assertThat(answer(message("{\"content\":\"x\"}")).usage()).isNull();
    assertThat(answer("{\"choices\":[{\"message\":{}}],\"usage\":null}").usage()).isNull();
  }

  @Test
  void the_ledger_gets_its_receipt() {
    String body = message("{\"content\":\"x\"}");
    provider.server().play(c -> c.answer(200, body, "X-Request-Id: req_7"));

    Receipt receipt = provider.ask().receipt();

    assertThat(receipt.httpStatus()).isEqualTo(200);
    assertThat(receipt.requestId()).isEqualTo("req_7");
    assertThat(receipt.responseBytes()).isEqualTo(body.length());
    assertThat(receipt.duration()).isPositive();
  }

  @Test
  void a_call_of_ours_that_we_gave_up_is_nobodys_failure() {
    OutboundCall call = new OutboundCall();
    call.abort(AbortReason.LEASE_LOST);
    var request = new TurnRequest("x", Dialogue.of(Body.utf8("[]")), Body.utf8("{}"), null, LONG);

    ProviderOutcome outcome = provider.provider().ask(request, call);

    assertThat(outcome)
        .isInstanceOf(Aborted.class)
        .extracting("reason")
        .isEqualTo(AbortReason.LEASE_LOST);
  }
}
