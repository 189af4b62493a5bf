package dev.coatcheck.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.job.EndCode;
import dev.coatcheck.worker.raw.Conversation;
import dev.coatcheck.worker.raw.RawServer.Act;
import dev.coatcheck.worker.retry.AttemptState;
import dev.coatcheck.worker.retry.Billed;
import dev.coatcheck.worker.retry.ErrorCode;
import dev.coatcheck.worker.retry.Failure;
import dev.coatcheck.worker.retry.RetryDecision.Again;
import dev.coatcheck.worker.retry.RetryDecision.Stop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an attempt without an answer tells the ledger and the job. */
@Timeout(60)
class FailedAttemptsTest {
  private static final String WHOLE =
      "{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"hello\"},\"finish_reason\":\"stop\"}]}";

  private static final Act OK = c -> c.answer(200, WHOLE);

  private final TestProvider provider = TestProvider.start();

  @AfterEach
  void stop() throws IOException {
    provider.close();
  }

  private static Act answer(int status, String body, String... headers) {
    return c -> c.answer(status, body, headers);
  }

  private AskedTurn ask(Act... acts) {
    provider.server().play(acts);
    return AskedTurn.of(provider);
  }

  private int sends() {
    return provider.server().requests().size();
  }

  private static EndCode code(AskedTurn turn) {
    return turn.stop().orElseThrow().code();
  }

  private static Failure last(AskedTurn turn) {
    return turn.failures().getLast();
  }

  @Test
  void an_unusable_answer_is_asked_for_once_more_and_no_more() {
    provider.server().otherwise(answer(200, "{\"choices\":[]}"));

    AskedTurn turn = AskedTurn.of(provider);

    assertThat(sends()).isEqualTo(2);
    assertThat(code(turn)).isEqualTo(EndCode.INVALID_RESPONSE);
    assertThat(turn.stop().orElseThrow()).extracting(Stop::retryable).hasToString("YES");
    assertThat(turn.pauses().getFirst()).isInstanceOf(Again.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {204, 301, 302, 307})
  void an_answer_that_cannot_become_usable_is_not_asked_for_again(int status) {
    AskedTurn turn = ask(c -> c.write(Conversation.head(status, "Content-Length: 0")));

    assertThat(sends()).isEqualTo(1);
    assertThat(code(turn)).isEqualTo(EndCode.INVALID_RESPONSE);
    assertThat(turn.stop().orElseThrow()).extracting(Stop::retryable).hasToString("NO");
  }

  @Test
  void a_success_without_a_body_is_not_asked_for_again() {
    AskedTurn turn = ask(answer(200, ""));

    assertThat(sends()).isEqualTo(1);
    assertThat(code(turn)).isEqualTo(EndCode.INVALID_RESPONSE);
    assertThat(last(turn).billed()).isEqualTo(Billed.UNKNOWN);
  }

  @Test
  void a_blocked_prompt_in_a_200_is_a_content_filter() {
    AskedTurn turn = ask(answer(200, "{\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}"));

    assertThat(sends()).isEqualTo(1);
    assertThat(code(turn)).isEqualTo(EndCode.CONTENT_FILTERED);
  }

  @Test
  void a_refusal_whose_body_breaks_off_is_a_refusal_by_its_status() {
    AskedTurn turn =
        ask(
            c -> {
              c.write(
                  Conversation.head(401, "Content-Length: 1000", "x-request-id: r_9") + "{\"err");
              c.hangUp();
            });

    assertThat(code(turn)).isEqualTo(EndCode.PROVIDER_AUTH);
    assertThat(last(turn).state()).isEqualTo(AttemptState.REFUSED);
    assertThat(last(turn).billed()).isEqualTo(Billed.NO);
    assertThat(last(turn).upstream().requestId()).isEqualTo("r_9");
  }

  @Test
  void nobody_listens_and_nothing_is_billed() throws IOException {
    try (Socket deaf = new Socket()) {
      deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      try (TestProvider nobody = TestProvider.at(deaf.getLocalPort())) {
        AskedTurn turn = AskedTurn.of(nobody);

        assertThat(code(turn)).isEqualTo(EndCode.ATTEMPTS_EXHAUSTED);
        assertThat(turn.failures())
            .hasSize(4)
            .allSatisfy(
                failure -> {
                  assertThat(failure.state()).isEqualTo(AttemptState.UNREACHABLE);
                  assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_UNREACHABLE);
                  assertThat(failure.billed()).isEqualTo(Billed.NO);
                  assertThat(failure.upstream().httpStatus()).isNull();
                  assertThat(failure.detail()).isEqualTo("openai could not be reached");
                });
      }
    }
  }

  @Test
  void a_cut_200_may_have_been_billed() {
    AskedTurn turn =
        ask(
            c -> {
              c.write(Conversation.head(200, "Content-Length: 1000") + WHOLE);
              c.hangUp();
            },
            OK);

    Failure failure = turn.failures().getFirst();
    assertThat(failure.state()).isEqualTo(AttemptState.INDETERMINATE);
    assertThat(failure.code()).isEqualTo(ErrorCode.PROVIDER_ERROR);
    assertThat(failure.billed()).isEqualTo(Billed.UNKNOWN);
    assertThat(turn.answer()).isPresent();
  }

  @Test
  void an_answer_over_32_megabytes_is_asked_for_once_more() {
    provider
        .server()
        .otherwise(c -> c.write(Conversation.head(200, "Content-Length: " + (33 << 20))));

    AskedTurn turn = AskedTurn.of(provider);

    assertThat(sends()).isEqualTo(2);
    assertThat(code(turn)).isEqualTo(EndCode.INVALID_RESPONSE);
    assertThat(last(turn).billed()).isEqualTo(Billed.UNKNOWN);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 429, 500, 200})
  void a_provider_that_quotes_our_secrets_is_masked(int status) {
    String echo =
        "Bearer "
            + TestProvider.API_KEY
            + " and other-canary-987 and NUL \\u0000 \\ud800 \\u001b[31m ";
    AskedTurn turn =
        ask(
            answer(
                status,
                "{\"error\":{\"message\":\""
                    + echo
                    + "\",\"code\":\"x_"
                    + TestProvider.API_KEY
                    + "\"}}",
                "x-request-id: " + TestProvider.API_KEY,
                "x-should-retry: false"));

    Failure failure = last(turn);
    assertThat(failure.toString()).doesNotContain("canary");
    assertThat(turn.stop().orElseThrow().toString()).doesNotContain("canary");
    assertThat(failure.message()).doesNotContain("\u0000").doesNotContain("\u001b");
    assertThat(failure.message().codePoints())
        .noneMatch(point -> Character.getType(point) == Character.SURROGATE);
  }

  @Test
  void for_a_refused_credential_the_words_are_ours() {
    AskedTurn turn =
        ask(answer(401, "{\"error\":{\"message\":\"Incorrect API key provided: sk-ca***789\"}}"));

    assertThat(last(turn).message())
        .isEqualTo("openai answered 401: it refuses the credential or what it may do");
  }

  @Test
  void a_long_message_is_cut_to_its_bound() {
    AskedTurn turn = ask(answer(400, "{\"error\":{\"message\":\"" + "ü😀".repeat(50_000) + "\"}}"));

    assertThat(last(turn).message().length()).isBetween(1_990, Failure.MAX_MESSAGE);
    assertThat(Objects.requireNonNull(turn.stop().orElseThrow().message())).isNotEmpty();
  }
}
