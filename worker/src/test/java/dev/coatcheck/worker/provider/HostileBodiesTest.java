package dev.coatcheck.worker.provider;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.provider.ProviderOutcome.Answered;
import dev.coatcheck.worker.provider.ProviderOutcome.Refused;
import dev.coatcheck.worker.raw.Conversation;
import dev.coatcheck.worker.retry.AskAgain;
import dev.coatcheck.worker.retry.Billed;
import dev.coatcheck.worker.retry.ErrorCode;
import dev.coatcheck.worker.retry.Failure;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies that come with a 200 and are not what they should be: no exception, never an answer. */
@Timeout(60)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileBodiesTest {
  private final TestProvider provider = TestProvider.start();

  @AfterAll
  void stop() throws IOException {
    provider.close();
  }

  private ProviderOutcome outcome(byte[] body) {
    provider
        .server()
        .play(
            c -> {
              c.write(Conversation.head(200, "Content-Length: " + body.length));
              c.write(body);
            });
    return provider.ask();
  }

  private static Stream<String> unusable() {
    String whole =
        "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"hello\"},\"finish_reason\":\"stop\"}]}";
    Stream<String> cuts =
        Stream.iterate(1, i -> i + 3).limit(whole.length() / 3).map(i -> whole.substring(0, i));
    return Stream.concat(
        cuts,
        Stream.of(
            " ",
            "\n",
            "null",
            "true",
            "0",
            "\"\"",
            "\"text\"",
            "[]",
            "{}",
            "[{}]",
            "[null]",
            "{\"choices\":null}",
            "{\"choices\":{}}",
            "{\"choices\":[]}",
            "{\"choices\":\"x\"}",
            "{\"choices\":[null]}",
            "{\"choices\":[[]]}",
            "{\"choices\":[{}]}",
            "{\"choices\":[{\"message\":null}]}",
            "{\"choices\":[{\"message\":\"x\"}]}",
            "{\"choices\":[{\"message\":[]}]}",
            "{\"choices\":[{\"text\":\"old\"}]}",
            "{\"choices\":[{\"delta\":{\"content\":\"x\"}}]}",
            "{\"choices\":[{\"message\":{\"content\":\"x\"},\"finish_reason\":\"error\"}]}",
            "{\"choices\":[{\"message\":{\"content\":\"x\"}}],\"choices\":[]}",
            "{\"choices\":[{\"message\":{\"content\":\"x\"},\"message\":null}]}",
            whole + whole,
            whole + "x",
            whole + "}",
            "x" + whole,
            "[" + whole,
            whole + ",",
            "data: " + whole + "\n\ndata: [DONE]\n",
            ": comment\n\n",
            "event: error\ndata: {}\n\n",
            "<html><body>502 Bad Gateway</body></html>",
            "<?xml version=\"1.0\"?><e/>",
            "upstream connect error",
            "NaN",
            "{\"choices\":NaN}",
            "{\"choices\":[{\"message\":{\"n\":Infinity}}]}",
            "{'choices':[]}",
            "{choices:[]}",
            "{\"choices\":[],}",
            "{\"choices\":[01]}",
            "{\"choices\":[{\"message\":{\"content\":\"\\x\"}}]}",
            "{\"choices\":[{\"message\":{\"content\":\"\\ud8\"}}]}",
            "{\"choices\":[{\"message\":{\"content\":\"a\nb\"}}]}",
            "{\"choices\":[{\"message\":{\"content\":\"\u0000\"}}]}",
            "{\"choices\":[{\"message\":{\"content\":1e99999}}], \"x\": " + "9".repeat(2_000) + "}",
            "[".repeat(100_000),
            "{\"a\":".repeat(100_000),
            "[".repeat(100_000) + "]".repeat(100_000),
            "{\"choices\":" + "[".repeat(5_000) + "]".repeat(5_000) + "}",
            "{\"" + "n".repeat(60_000) + "\":1}",
            "/* comment */ {}",
            "{\"choices\":[]} // end",
            "\u001b[31mred",
            "\u202e{}",
            "{\"id\":\"x\",\"object\":\"chat.completion\"}",
            "{\"message\":\"Requests rate limit exceeded\"}",
            "{\"detail\":\"x\"}",
            "{\"error\":\"x\"}",
            "{\"error\":true}",
            "{\"error\":[[]]}",
            "{\"error\":[]}",
            "{\"error\":{\"code\":null}}",
            "{\"error\":{\"code\":[]}}",
            "{\"error\":{\"message\":{\"message\":{}}}}",
            "{\"error\":{\"details\":\"x\"}}",
            "{\"error\":{\"details\":[1,null,{\"violations\":7},{\"violations\":[null]}]}}",
            "{\"error\":{\"metadata\":{\"headers\":[1]}}}",
            "{\"error\":{\"metadata\":\"x\"}}",
            "{\"error\":{\"code\":1e400}}",
            "{\"error\":{\"code\":-429}}",
            "{\"error\":{\"code\":4.29e2}}",
            "{\"candidates\":[]}",
            "{\"candidates\":[{\"content\":{}}]}"));
  }

  @ParameterizedTest
  @MethodSource("unusable")
  void an_unusable_200_is_asked_for_once_more_and_may_have_been_billed(String body) {
    check(outcome(body.getBytes(StandardCharsets.UTF_8)));
  }

  private static Stream<byte[]> otherEncodings() {
    String whole =
        "{\"choices\":[{\"message\":{\"content\":\"hällo\"},\"finish_reason\":\"stop\"}]}";
    byte[] garbage = new byte[4_096];
    new Random(7).nextBytes(garbage);
    byte[] overlong = whole.getBytes(ISO_8859_1);
    overlong[overlong.length - 40] = (byte) 0xC0;
    return Stream.of(
        whole.getBytes(UTF_16),
        whole.getBytes(UTF_16LE),
        whole.getBytes(Charset.forName("UTF-32")),
        whole.getBytes(ISO_8859_1),
        overlong,
        garbage,
        new byte[] {0},
        new byte[] {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF},
        new byte[1_000]);
  }

  @ParameterizedTest
  @MethodSource("otherEncodings")
  void bytes_that_are_not_utf8_are_not_an_answer(byte[] body) {
    check(outcome(body));
  }

  private static void check(ProviderOutcome outcome) {
    assertThat(outcome).isInstanceOf(Refused.class);
    Failure failure = ((Refused) outcome).failure();
    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_RESPONSE);
    assertThat(failure.askAgain()).isEqualTo(AskAgain.ONCE);
    assertThat(failure.billed()).isEqualTo(Billed.UNKNOWN);
    assertThat(failure.message()).doesNotContain("\u0000").doesNotContain("\u001b");
  }

  private static Stream<String> odd() {
    return Stream.of(
        "{\"choices\":[{\"message\":{}}]}",
        "{\"choices\":[{\"message\":{\"content\":null}}]}",
        "{\"choices\":[{\"message\":{\"content\":7}}]}",
        "{\"choices\":[{\"message\":{\"content\":{}}}]}",
        "{\"choices\":[{\"message\":{\"content\":[1,null,{\"text\":3}]}}]}",
        "{\"choices\":[{\"message\":{\"content\":\"\\u0000\\ud800\"}}]}",
        "{\"choices\":[{\"message\":{\"content\":\"x\",\"tool_calls\":7}}]}",
        "{\"choices\":[{\"message\":{\"content\":\"x\"},\"finish_reason\":7}]}",
        "{\"choices\":[{\"message\":{\"content\":\"x\"},\"finish_reason\":\"never_heard_of\"}]}",
        "{\"choices\":[{\"message\":{\"content\":\"x\"}}],\"usage\":\"x\"}",
        "{\"choices\":[{\"message\":{\"content\":\"x\"}}],\"usage\":{\"prompt_tokens\":\"x\"}}",
        "{\"choices\":[{\"message\":{\"content\":\"x\"}}],\"usage\":{\"prompt_tokens\":1},\"usage\":null}",
        "{\"choices\":[],\"choices\":[{\"message\":{\"content\":\"x\"}}]}",
        "{\"choices\":[{\"message\":{\"content\":\"a\",\"content\":\"b\"}},{},null,7]}",
        "{\"x\":{\"choices\":[]},\"choices\":[{\"message\":{\"content\":\"x\"}}]}",
        "{\"error\":false,\"choices\":[{\"message\":{\"content\":\"x\"}}]}",
        "{\"error\":\"\",\"choices\":[{\"message\":{\"content\":\"x\"}}]}");
  }

  @ParameterizedTest
  @MethodSource("odd")
  void an_odd_answer_with_a_message_is_an_answer(String body) {
    ProviderOutcome outcome = outcome(body.getBytes(StandardCharsets.UTF_8));

    assertThat(outcome).isInstanceOf(Answered.class);
    assertThat(body).contains(((Answered) outcome).answer().message().text());
  }

  /** Any body with any error status is a refusal by its status, and no exception. */
  @ParameterizedTest
  @MethodSource("unusable")
  void the_same_bodies_with_an_error_status_are_refusals(String body) {
    provider.server().play(c -> c.answer(502, body));

    ProviderOutcome outcome = provider.ask();

    assertThat(outcome)
        .isInstanceOf(Refused.class)
        .extracting("failure.code", "failure.billed")
        .containsExactly(ErrorCode.PROVIDER_ERROR, Billed.NO);
  }
}
