package dev.coatcheck.worker.provider;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.provider.Reading.Blocked;
import dev.coatcheck.worker.provider.Reading.Failed;
import dev.coatcheck.worker.provider.Reading.Unusable;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OpenAiContractTest extends DialectContract {
  OpenAiContractTest() {
    super("openai");
  }

  @Override
  String endMark(String streamFile) {
    return "\"finish_reason\":\"";
  }

  private Reading chunks(String... chunks) {
    var stream = new StringBuilder();
    for (String chunk : chunks) {
      stream.append("data: ").append(chunk).append("\n\n");
    }
    return streamed(stream.toString().getBytes(UTF_8));
  }

  private static String delta(String delta) {
    return "{\"choices\":[{\"index\":0,\"delta\":" + delta + "}]}";
  }

  private static String end(String reason) {
    return "{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"" + reason + "\"}]}";
  }

  @Test
  void usage_is_kept_as_sent_and_unknown_where_it_was_cut_off() {
    String usage = "{\"prompt_tokens\": 10 , \"cost\":0.10, \"completion_tokens\":1.0e0}";

    Answer with =
        answer(
            chunks(
                delta("{\"content\":\"x\"}"),
                end("stop"),
                "{\"choices\":[],\"usage\": " + usage + "}"));

    assertThat(Objects.requireNonNull(with.usage()).json().text()).isEqualTo(usage);
    assertThat(answer(chunks(delta("{\"content\":\"x\"}"), end("stop"))).usage()).isNull();
    assertThat(
            answer(
                    chunks(
                        "{\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":null}"))
                .usage())
        .isNull();
  }

  @Test
  void the_word_done_is_an_end_even_without_a_reason() {
    Answer answer = answer(chunks(delta("{\"content\":\"x\"}"), "[DONE]"));

    assertThat(text(answer)).isEqualTo("x");
    assertThat(answer.finishReason()).isNull();
    assertThat(chunks("[DONE]")).isInstanceOf(Unusable.class);
  }

  @Test
  void only_the_first_choice_counts() {
    Answer answer =
        answer(
            chunks(
                "{\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"},\"finish_reason\":\"stop\"}]}",
                "{\"choices\":[{\"index\":0,\"delta\":{\"content\":\"yes\"}},{\"index\":1,\"delta\":{\"content\":\"no\"}}]}",
                end("length")));

    assertThat(text(answer)).isEqualTo("yes");
    assertThat(answer.stoppedShort()).isTrue();
  }

  @Test
  void members_that_nobody_asked_about_grow_too() {
    Answer answer =
        answer(
            chunks(
                delta("{\"role\":\"assistant\",\"reasoning_content\":\"I th\"}"),
                delta("{\"reasoning_content\":\"ink\",\"n\":1}"),
                delta(
                    "{\"reasoning_details\":[{\"type\":\"t\",\"text\":\"a\",\"index\":0}],\"n\":2}"),
                delta("{\"reasoning_details\":[{\"type\":\"t\",\"text\":\"b\",\"index\":0}]}"),
                delta("{\"role\":\"assistant\",\"content\":\"so\",\"annotations\":[{\"a\":1}]}"),
                delta("{\"annotations\":[{\"a\":2}],\"audio\":{\"id\":\"x\",\"data\":\"QQ\"}}"),
                delta("{\"audio\":{\"data\":\"==\"},\"content\":null}"),
                end("stop")));

    assertThat(Json.MAPPER.readTree(answer.message().toBytes()))
        .isEqualTo(
            Json.MAPPER.readTree(
                "{\"role\":\"assistant\",\"content\":\"so\",\"reasoning_content\":\"I think\",\"n\":2,"
                    + "\"reasoning_details\":[{\"type\":\"t\",\"text\":\"ab\",\"index\":0}],"
                    + "\"annotations\":[{\"a\":1},{\"a\":2}],\"audio\":{\"id\":\"x\",\"data\":\"QQ==\"}}"));
  }

  @Test
  void calls_that_share_an_index_but_not_an_id_are_two() {
    Answer answer =
        answer(
            chunks(
                delta(
                    "{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}"),
                delta(
                    "{\"tool_calls\":[{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"g\",\"arguments\":\"{\\\"x\\\"\"}}]}"),
                delta(
                    "{\"tool_calls\":[{\"index\":0,\"id\":\"\",\"function\":{\"arguments\":\":1}\"}}]}"),
                end("tool_calls")));

    assertThat(answer.toolCalls())
        .containsExactly(new ToolCall("a", "f", "{}"), new ToolCall("b", "g", "{\"x\":1}"));
    assertThat(Json.MAPPER.readTree(answer.message().toBytes()).path("tool_calls"))
        .isEqualTo(
            Json.MAPPER.readTree(
                "[{\"id\":\"a\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}},"
                    + "{\"id\":\"b\",\"type\":\"function\",\"function\":{\"name\":\"g\",\"arguments\":\"{\\\"x\\\":1}\"}}]"));
  }

  @Test
  void a_content_in_parts_is_one() {
    Answer answer =
        answer(
            chunks(
                delta(
                    "{\"content\":[{\"type\":\"thinking\",\"thinking\":[{\"type\":\"text\",\"text\":\"hm\"}]}]}"),
                delta("{\"content\":\"so \"}"),
                delta("{\"content\":[{\"type\":\"text\",\"text\":\"be it\"}]}"),
                end("stop")));

    assertThat(text(answer)).isEqualTo("so be it");
  }

  @Test
  void an_answer_that_comes_whole_in_one_chunk_is_one() {
    Answer answer =
        answer(
            chunks(
                "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"x\"},\"finish_reason\":\"stop\"}]}"));

    assertThat(text(answer)).isEqualTo("x");
  }

  @Test
  void an_error_in_a_choice_and_a_blocked_prompt_are_seen() {
    assertThat(chunks(end("error"))).isInstanceOf(Unusable.class);
    assertThat(chunks("{\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}"))
        .isInstanceOf(Blocked.class);
    assertThat(chunks(delta("{\"content\":\"x\"}"), "{\"error\":\"model not found\"}"))
        .isInstanceOf(Failed.class);
  }
}
