package dev.coatcheck.worker.provider;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.egress.Body;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnthropicContractTest extends DialectContract {
  AnthropicContractTest() {
    super("anthropic");
  }

  @Override
  String endMark(String streamFile) {
    return "\"stop_reason\":\"";
  }

  private Answer read(String body) {
    return answer(dialect.read(Json.parse(Body.utf8(body)).orElseThrow()));
  }

  @ParameterizedTest
  @CsvSource({
    "end_turn, stop, false",
    "stop_sequence, stop, false",
    "max_tokens, length, true",
    "model_context_window_exceeded, length, true",
    "pause_turn, length, true",
    "tool_use, tool_calls, false",
    "refusal, content_filter, true",
    "something_new, something_new, false"
  })
  void a_stop_reason_is_told_in_the_words_of_the_api(
      String reason, String told, boolean stoppedShort) {
    Answer answer = read("{\"content\":[],\"stop_reason\":\"" + reason + "\"}");

    assertThat(answer.finishReason()).isEqualTo(told);
    assertThat(answer.stoppedShort()).isEqualTo(stoppedShort);
  }

  @Test
  void the_message_is_kept_byte_for_byte() {
    String message =
        "{ \"type\":\"message\", \"n\":1.50e+3,\"content\":[ {\"type\":\"text\",\"text\":\"NUL \\u0000 \\ud83d\"},"
            + "{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\",\"input\": {\"z\" : 1.0, \"a\":12345678901234567890}}],"
            + "\"stop_reason\":\"tool_use\"}";

    Answer answer = read("\uFEFF \n" + message + "\n");

    assertThat(answer.message().text()).isEqualTo(message);
    assertThat(text(answer)).isEqualTo("NUL \0 \ud83d");
    assertThat(answer.toolCalls())
        .containsExactly(new ToolCall("a", "f", "{\"z\" : 1.0, \"a\":12345678901234567890}"));
  }

  @Test
  void the_text_of_several_blocks_is_one_and_thoughts_are_none_of_it() {
    Answer answer = whole("tools.json");

    assertThat(text(answer)).isEqualTo("Let me see.");
    assertThat(
            text(
                read(
                    "{\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"thinking\",\"thinking\":\"b\"},"
                        + "{\"type\":\"text\",\"text\":\"c\",\"citations\":[]}],\"stop_reason\":\"end_turn\"}")))
        .isEqualTo("ac");
  }

  @Test
  void cache_buckets_are_disjoint_and_what_a_stream_counts_is_a_sum_already() {
    Usage whole = Objects.requireNonNull(whole("text.json").usage());
    Usage streamed = Objects.requireNonNull(answer(streamed(fixture.bytes("text.sse"))).usage());

    assertThat(whole)
        .extracting("input", "inputCached", "cacheWrite", "output", "reasoning")
        .containsExactly(25L, 2000L, 100L, 15L, null);
    assertThat(streamed).usingRecursiveComparison().ignoringFields("json").isEqualTo(whole);
    assertThat(Json.MAPPER.readTree(streamed.json().toBytes()).path("cache_creation"))
        .isEqualTo(Json.MAPPER.readTree(whole.json().toBytes()).path("cache_creation"));
  }

  @Test
  void thinking_is_part_of_the_output() {
    Usage usage =
        Objects.requireNonNull(
            read("{\"content\":[],\"stop_reason\":\"end_turn\",\"usage\":{\"input_tokens\":5,\"output_tokens\":9,"
                    + "\"output_tokens_details\":{\"thinking_tokens\":4}}}")
                .usage());

    assertThat(usage).extracting("input", "output", "reasoning").containsExactly(5L, 9L, 4L);
  }

  @Test
  void arguments_that_are_no_json_are_told_to_the_model_as_such() {
    String stream =
        fixture
            .text("tools.sse")
            .replace("\"partial_json\":\"\\\"cents\\\":250}\"", "\"partial_json\":\"\\\"cents\"");

    assertThat(answer(streamed(stream.getBytes(UTF_8))).toolCalls().get(1).arguments())
        .isEqualTo("{\"INVALID_JSON\":\"{\\\"order\\\":\\\"4711\\\",\\\"cents\"}");
  }

  @Test
  void citations_and_members_to_come_grow_too() {
    String stream =
        """
        data: {"type":"message_start","message":{"id":"m","content":[]}}

        data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","citations":[]}}

        data: {"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"cited_text":"a"}}}

        data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"x"}}

        data: {"type":"content_block_delta","index":0,"delta":{"type":"citations_delta","citation":{"cited_text":"b"}}}

        data: {"type":"content_block_delta","index":0,"delta":{"type":"new_delta","new":"y"}}

        data: {"type":"content_block_delta","index":7,"delta":{"type":"text_delta","text":"of no block"}}

        data: {"type":"something_new"}

        data: {"type":"message_delta","delta":{"stop_reason":"end_turn"}}

        """;

    Answer answer = answer(streamed(stream.getBytes(UTF_8)));

    assertThat(Json.MAPPER.readTree(answer.message().toBytes()).path("content"))
        .isEqualTo(
            Json.MAPPER.readTree(
                "[{\"type\":\"text\",\"text\":\"x\",\"citations\":[{\"cited_text\":\"a\"},{\"cited_text\":\"b\"}],\"new\":\"y\"}]"));
  }
}
