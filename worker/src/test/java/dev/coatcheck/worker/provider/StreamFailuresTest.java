package dev.coatcheck.worker.provider;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.raw.Conversation;
import dev.coatcheck.worker.raw.RawServer.Act;
import dev.coatcheck.worker.retry.AttemptState;
import dev.coatcheck.worker.retry.Billed;
import dev.coatcheck.worker.retry.ErrorCode;
import dev.coatcheck.worker.retry.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What went wrong with streams elsewhere, as its reports tell it. */
@Timeout(30)
class StreamFailuresTest {
  private static final String HEAD =
      Conversation.head(200, "Connection: close", "Content-Type: text/event-stream");

  private final TestProvider provider = TestProvider.speaking("openai");
  private final StringBuilder heard = new StringBuilder();

  @AfterEach
  void stop() throws IOException {
    provider.close();
  }

  private static String delta(String delta) {
    return "data: {\"choices\":[{\"index\":0,\"delta\":" + delta + "}]}\n\n";
  }

  private static String end(String reason) {
    return "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\""
        + reason
        + "\"}]}\n\ndata: [DONE]\n\n";
  }

  private static String endWithoutItsLastWord(String reason) {
    return end(reason).replace("data: [DONE]\n\n", "");
  }

  private static Act sends(String events) {
    return c -> {
      c.write(HEAD + events);
      c.hangUp();
    };
  }

  private AskedTurn ask(Act... acts) {
    provider.server().play(acts);
    return AskedTurn.streamed(
        provider,
        () -> {
          heard.setLength(0);
          return heard::append;
        });
  }

  private int sends() {
    return provider.server().requests().size();
  }

  /** T17 */
  @Test
  void an_overload_amid_a_stream_surfaced_with_status_200() {
    AskedTurn turn =
        ask(
            sends(
                """
                data: {"choices":[],"id":"x"}

                event: error
                data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}

                """),
            sends(delta("{\"content\":\"whole\"}") + end("stop")));

    Failure first = turn.failures().getFirst();
    assertThat(first.code()).isEqualTo(ErrorCode.PROVIDER_OVERLOADED);
    assertThat(first.upstream().httpStatus()).isEqualTo(200);
    assertThat(first.billed()).isEqualTo(Billed.UNKNOWN);
    assertThat(sends()).isEqualTo(2);
    assertThat(turn.answer()).isPresent();
  }

  /** T18 */
  @Test
  void the_arguments_of_a_broken_call_ran_into_those_of_the_next() {
    String call =
        "{\"tool_calls\":[{\"index\":0,\"id\":\"%s\",\"type\":\"function\",\"function\":{\"name\":\"run\",\"arguments\":\"%s\"}}]}";
    AskedTurn turn =
        ask(
            c -> {
              c.write(HEAD + delta("{\"content\":\"Let me\"}"));
              c.write(
                  delta(
                      call.formatted(
                          "a", "{\\\"language\\\":\\\"python\\\",\\\"code\\\":\\\"pri")));
              c.reset();
            },
            sends(
                delta("{\"content\":\"Now\"}")
                    + delta(call.formatted("b", "{\\\"code\\\":\\\"print(1)\\\"}"))
                    + end("tool_calls")));

    assertThat(turn.failures().getFirst().code()).isEqualTo(ErrorCode.STREAM_INTERRUPTED);
    assertThat(turn.answer().orElseThrow().message().text())
        .contains("{\\\"code\\\":\\\"print(1)\\\"}")
        .contains("\"id\":\"b\"")
        .doesNotContain("python")
        .doesNotContain("\"a\"");
    assertThat(heard).hasToString("Now");
  }

  /** T19 */
  @Test
  void a_clean_end_without_a_terminator_was_a_success() {
    AskedTurn turn =
        ask(
            sends(delta("{\"content\":\"Half of\"}")),
            sends(delta("{\"content\":\"All of it\"}") + end("stop")));

    Failure first = turn.failures().getFirst();
    assertThat(first.code()).isEqualTo(ErrorCode.STREAM_INTERRUPTED);
    assertThat(first.state()).isEqualTo(AttemptState.INDETERMINATE);
    assertThat(first.billed()).isEqualTo(Billed.UNKNOWN);
    assertThat(Objects.requireNonNull(turn.answer().orElseThrow().outputText()).text())
        .isEqualTo("\"All of it\"");
  }

  /** T20 */
  @Test
  void a_stream_that_fell_silent_was_waited_for_all_night() {
    AskedTurn turn =
        ask(
            c -> {
              c.write(HEAD + delta("{\"content\":\"Half of\"}"));
              assertThat(c.waitForHangUp(20_000)).isTrue();
            },
            sends(delta("{\"content\":\"All\"}") + end("stop")));

    assertThat(turn.failures().getFirst().code()).isEqualTo(ErrorCode.PROVIDER_TIMEOUT);
    assertThat(turn.failures().getFirst().state()).isEqualTo(AttemptState.INDETERMINATE);
    assertThat(turn.answer()).isPresent();
  }

  /** A provider that says why it stops and is then cut off is not paid a second time. */
  @Test
  void the_usage_was_lost_and_with_it_the_answer() {
    AskedTurn turn =
        ask(
            c -> {
              c.write(HEAD + delta("{\"content\":\"All\"}") + endWithoutItsLastWord("stop"));
              c.reset();
            });

    assertThat(sends()).isEqualTo(1);
    assertThat(turn.answer().orElseThrow().usage()).isNull();
  }

  @Test
  void a_stream_is_asked_for_with_its_usage_unless_the_caller_says_otherwise() {
    provider.server().otherwise(c -> c.answer(500, ""));
    var streamed =
        TestProvider.request(
            "[]", "{\"stream_options\": {} }", TextListener.nobody(), Duration.ofSeconds(5));

    provider.stream(TextListener.nobody());
    provider.ask(streamed);
    provider.ask();

    assertThat(provider.server().requests())
        .extracting(Conversation.Request::body)
        .satisfiesExactly(
            body ->
                assertThat(body)
                    .contains("\"stream\":true,\"stream_options\":{\"include_usage\":true}"),
            body ->
                assertThat(body)
                    .contains("\"stream\":true")
                    .contains("\"stream_options\": {}")
                    .doesNotContain("include_usage"),
            body -> assertThat(body).doesNotContain("stream"));
  }

  @Test
  void an_event_of_more_than_a_mebibyte_is_refused() {
    byte[] long1 = ("data: \"" + "x".repeat(1024 * 1024) + "\"\n\n").getBytes(UTF_8);
    provider
        .server()
        .otherwise(
            c -> {
              c.write(HEAD);
              c.write(long1);
              c.waitForHangUp(5_000);
            });

    ProviderOutcome outcome = provider.stream(TextListener.nobody());

    assertThat(outcome)
        .isInstanceOf(ProviderOutcome.Refused.class)
        .extracting("failure.code", "failure.billed")
        .containsExactly(ErrorCode.INVALID_RESPONSE, Billed.UNKNOWN);
  }
}
