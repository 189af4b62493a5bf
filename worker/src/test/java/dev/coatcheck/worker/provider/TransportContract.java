package dev.coatcheck.worker.provider;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.egress.AbortReason;
import dev.coatcheck.worker.egress.OutboundCall;
import dev.coatcheck.worker.provider.ProviderOutcome.Aborted;
import dev.coatcheck.worker.provider.ProviderOutcome.Answered;
import dev.coatcheck.worker.provider.ProviderOutcome.Indeterminate;
import dev.coatcheck.worker.provider.ProviderOutcome.Refused;
import dev.coatcheck.worker.provider.ProviderOutcome.Unreachable;
import dev.coatcheck.worker.raw.Conversation;
import dev.coatcheck.worker.raw.RawServer.Act;
import dev.coatcheck.worker.retry.Billed;
import dev.coatcheck.worker.retry.Failure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the network and the servers in it may fail, for each dialect, streamed and not. */
@Timeout(30)
abstract class TransportContract {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final String EVENTS = "Content-Type: text/event-stream";
  private static final String JSON = "Content-Type: application/json";

  final Fixture fixture;
  final TestProvider provider;

  TransportContract(String dialect) {
    this.fixture = new Fixture(dialect);
    this.provider = TestProvider.speaking(dialect);
  }

  @AfterEach
  void stop() throws IOException {
    provider.close();
  }

  /** How the answer is asked for. */
  enum Manner {
    WHOLE,
    STREAMED
  }

  private static TurnRequest request(Manner manner, Duration timeout) {
    @Nullable TextListener listener = manner == Manner.STREAMED ? TextListener.nobody() : null;
    return TestProvider.request(
        "[{\"role\":\"user\",\"content\":\"hi\"}]", "{}", listener, timeout);
  }

  private ProviderOutcome ask(Manner manner) {
    return provider.ask(request(manner, LONG));
  }

  /** The text fixture as the server sends it, without its head. */
  private byte[] body(Manner manner) {
    return fixture.bytes(manner == Manner.STREAMED ? "text.sse" : "text.json");
  }

  private static String type(Manner manner) {
    return manner == Manner.STREAMED ? EVENTS : JSON;
  }

  private static byte[] chunk(byte[] bytes) {
    var chunk = new ByteArrayOutputStream();
    chunk.writeBytes((Integer.toHexString(bytes.length) + "\r\n").getBytes(UTF_8));
    chunk.writeBytes(bytes);
    chunk.writeBytes("\r\n".getBytes(UTF_8));
    return chunk.toByteArray();
  }

  private static String chunkedHead(Manner manner, String... headers) {
    List<String> all = new ArrayList<>(List.of(headers));
    all.add(type(manner));
    return Conversation.head(200, "Transfer-Encoding: chunked", all.toArray(String[]::new));
  }

  private Act answer(Manner manner) {
    return c -> {
      c.write(chunkedHead(manner, "x-request-id: req_1"));
      c.write(chunk(body(manner)));
      c.write("0\r\n\r\n");
    };
  }

  /** The first half of the answer, then whatever comes. */
  private Act half(Manner manner, Act then) {
    return c -> {
      c.write(chunkedHead(manner, "x-request-id: req_1"));
      c.write(chunk(Arrays.copyOf(body(manner), body(manner).length / 2)));
      then.play(c);
    };
  }

  private static void assertAnswered(ProviderOutcome outcome) {
    assertThat(outcome)
        .isInstanceOfSatisfying(
            Answered.class, answered -> assertThat(answered.answer().outputText()).isNotNull());
  }

  private static Failure failure(ProviderOutcome outcome) {
    return switch (outcome) {
      case Refused refused -> refused.failure();
      case Unreachable unreachable -> unreachable.failure();
      case Indeterminate indeterminate -> indeterminate.failure();
      case Answered _, Aborted _ -> throw new AssertionError("no failure: " + outcome);
    };
  }

  private static void assertFailed(
      ProviderOutcome outcome, Class<? extends ProviderOutcome> kind, String code) {
    assertThat(outcome).isInstanceOf(kind);
    assertThat(failure(outcome).code().text()).isEqualTo(code);
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_is_one_and_its_receipt_is_kept(Manner manner) {
    provider.server().play(answer(manner));

    ProviderOutcome outcome = ask(manner);

    assertAnswered(outcome);
    assertThat(outcome.receipt().requestId()).isEqualTo("req_1");
    assertThat(outcome.receipt().responseBytes()).isEqualTo(body(manner).length);
  }

  @ParameterizedTest
  @EnumSource
  void the_connection_is_used_again(Manner manner) {
    provider.server().play(answer(manner), answer(manner));

    assertAnswered(ask(manner));
    assertAnswered(ask(manner));

    assertThat(provider.server().connections()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource
  void a_compressed_answer_is_unpacked(Manner manner) throws IOException {
    var packed = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(packed)) {
      gzip.write(body(manner));
    }
    provider
        .server()
        .play(
            c -> {
              c.write(chunkedHead(manner, "Content-Encoding: gzip"));
              c.write(chunk(packed.toByteArray()));
              c.write("0\r\n\r\n");
            });

    assertAnswered(ask(manner));
  }

  @ParameterizedTest
  @EnumSource
  void a_body_without_a_length_ends_with_the_connection(Manner manner) {
    provider
        .server()
        .play(
            c -> {
              c.write(Conversation.head(200, "Connection: close", type(manner)));
              c.write(body(manner));
              c.hangUp();
            });

    assertAnswered(ask(manner));
  }

  @ParameterizedTest
  @EnumSource
  void a_refused_connection_was_never_sent(Manner manner) throws IOException {
    int free;
    try (ServerSocket closed = new ServerSocket(0)) {
      free = closed.getLocalPort();
    }
    try (TestProvider nobody =
        TestProvider.speaking(fixture.dialect(), "http://127.0.0.1:" + free)) {
      assertFailed(nobody.ask(request(manner, LONG)), Unreachable.class, "provider_unreachable");
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_unknown_host_was_never_sent(Manner manner) throws IOException {
    try (TestProvider nobody =
        TestProvider.speaking(fixture.dialect(), "http://nobody.invalid/v1")) {
      assertFailed(nobody.ask(request(manner, LONG)), Unreachable.class, "provider_unreachable");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_host_that_does_not_take_the_call_was_never_sent(Manner manner) throws IOException {
    List<Socket> fillers = new ArrayList<>();
    try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        TestProvider nobody =
            TestProvider.speaking(fixture.dialect(), "http://127.0.0.1:" + deaf.getLocalPort())) {
      for (int i = 0; i < 8; i++) {
        Socket filler = new Socket();
        fillers.add(filler);
        try {
          filler.connect(deaf.getLocalSocketAddress(), 50);
        } catch (java.net.SocketTimeoutException full) {
          break;
        }
      }
      assertFailed(nobody.ask(request(manner, LONG)), Unreachable.class, "provider_unreachable");
    } finally {
      for (Socket filler : fillers) {
        filler.close();
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_server_that_never_answers_runs_into_the_timeout(Manner manner) {
    provider.server().play(c -> c.waitForHangUp(10_000));

    ProviderOutcome outcome = provider.ask(request(manner, Duration.ofMillis(300)));

    assertFailed(outcome, Indeterminate.class, "provider_timeout");
    assertThat(failure(outcome).billed()).isEqualTo(Billed.UNKNOWN);
  }

  @ParameterizedTest
  @EnumSource
  void a_reset_or_a_farewell_without_an_answer_may_have_been_billed(Manner manner) {
    provider.server().play(Conversation::reset, Conversation::hangUp);

    assertFailed(ask(manner), Indeterminate.class, "provider_error");
    assertFailed(ask(manner), Indeterminate.class, "provider_error");
    assertThat(provider.server().requests()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void half_an_answer_is_none(Manner manner) {
    String code = manner == Manner.STREAMED ? "stream_interrupted" : "provider_error";
    provider
        .server()
        .play(half(manner, Conversation::hangUp), half(manner, Conversation::reset))
        .play(half(manner, c -> c.write("nonsense\r\n")));

    for (int i = 0; i < 3; i++) {
      ProviderOutcome outcome = ask(manner);
      assertFailed(outcome, Indeterminate.class, code);
      assertThat(failure(outcome).billed()).isEqualTo(Billed.UNKNOWN);
      assertThat(outcome.receipt().requestId()).isEqualTo("req_1");
      assertThat(outcome.receipt().responseBytes()).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_that_stalls_is_given_up_at_the_idle_limit(Manner manner) {
    provider.server().play(half(manner, c -> c.waitForHangUp(20_000)));

    ProviderOutcome outcome = ask(manner);

    assertFailed(outcome, Indeterminate.class, "provider_timeout");
    assertThat(outcome.receipt().duration()).isLessThan(Duration.ofSeconds(4));
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_that_trickles_is_given_up_at_the_timeout(Manner manner) {
    provider
        .server()
        .play(
            half(
                manner,
                c -> {
                  while (!c.waitForHangUp(50)) {
                    c.write("1\r\n \r\n");
                  }
                }));

    assertFailed(
        provider.ask(request(manner, Duration.ofMillis(700))),
        Indeterminate.class,
        "provider_timeout");
  }

  @ParameterizedTest
  @EnumSource
  void what_is_no_http_is_no_answer(Manner manner) {
    provider
        .server()
        .play(
            c -> {
              c.write("220 smtp.example ESMTP\r\n");
              c.hangUp();
            });

    assertFailed(ask(manner), Indeterminate.class, "provider_error");
  }

  @ParameterizedTest
  @EnumSource
  void a_refusal_before_the_request_is_read_is_a_refusal(Manner manner) {
    provider
        .server()
        .withoutReading()
        .otherwise(
            c -> {
              c.answer(413, "too large", "Connection: close");
              c.waitForHangUp(5_000);
            });

    assertFailed(ask(manner), Refused.class, "request_too_large");
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_larger_than_the_limit_is_cut_off(Manner manner) {
    byte[] filler = " ".repeat(64 * 1024).getBytes(UTF_8);
    filler[filler.length - 1] = '\n';
    provider
        .server()
        .otherwise(
            c -> {
              c.write(chunkedHead(manner));
              try {
                while (true) {
                  c.write(chunk(filler));
                }
              } catch (IOException cutOff) {
                c.hangUp();
              }
            });

    ProviderOutcome outcome = ask(manner);

    assertFailed(outcome, Indeterminate.class, "invalid_response");
    assertThat(outcome.receipt().responseBytes()).isLessThanOrEqualTo(TestProvider.SMALL.toBytes());
  }

  @ParameterizedTest
  @EnumSource
  void a_redirect_is_not_followed(Manner manner) {
    provider.server().play(c -> c.answer(307, "", "Location: /elsewhere"));

    assertFailed(ask(manner), Refused.class, "invalid_response");
    assertThat(provider.server().requests()).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void a_success_without_a_body_or_without_json_is_no_answer(Manner manner) {
    provider
        .server()
        .play(
            c -> c.answer(200, "", JSON),
            c -> c.answer(200, "<html>welcome to our proxy</html>", "Content-Type: text/html"));

    assertFailed(ask(manner), Refused.class, "invalid_response");
    assertFailed(ask(manner), Refused.class, "invalid_response");
  }

  @TestFactory
  List<DynamicTest> errors_are_known_by_their_code() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Manner manner : Manner.values()) {
      for (Fixture.ErrorCase error : fixture.errors()) {
        tests.add(
            DynamicTest.dynamicTest(
                manner + " " + error,
                () -> {
                  provider.server().play(c -> c.answer(error.status(), error.body(), JSON));
                  assertFailed(ask(manner), Refused.class, error.code());
                }));
      }
    }
    return tests;
  }

  @ParameterizedTest
  @EnumSource
  void a_call_that_we_give_up_is_nobodys_failure(Manner manner) {
    var call = new OutboundCall();
    provider
        .server()
        .play(
            half(
                manner,
                c -> {
                  call.abort(AbortReason.CANCELLED);
                  c.waitForHangUp(20_000);
                }));

    assertThat(provider.provider().ask(request(manner, LONG), call))
        .isInstanceOfSatisfying(
            Aborted.class,
            aborted -> assertThat(aborted.reason()).isEqualTo(AbortReason.CANCELLED));
  }

  @Test
  void a_whole_answer_where_a_stream_was_asked_for_is_an_answer() {
    provider.server().play(answer(Manner.WHOLE));

    assertAnswered(ask(Manner.STREAMED));
  }

  @Test
  void a_stream_that_is_cut_after_the_answers_end_is_an_answer() {
    byte[] all = body(Manner.STREAMED);
    provider
        .server()
        .play(
            c -> {
              c.write(chunkedHead(Manner.STREAMED));
              c.write(chunk(all));
              c.reset();
            },
            c -> {
              c.write(chunkedHead(Manner.STREAMED));
              c.write(chunk(all));
              c.waitForHangUp(20_000);
            });

    assertAnswered(ask(Manner.STREAMED));
    ProviderOutcome patient = ask(Manner.STREAMED);
    assertAnswered(patient);
    assertThat(patient.receipt().duration()).isLessThan(Duration.ofSeconds(4));
  }

  @Test
  void the_text_is_heard_while_the_stream_goes_on() {
    var heard = new StringBuilder();
    var first = new CountDownLatch(1);
    byte[] all = body(Manner.STREAMED);
    int most = all.length * 3 / 4;
    provider
        .server()
        .play(
            c -> {
              c.write(chunkedHead(Manner.STREAMED));
              c.write(chunk(Arrays.copyOf(all, most)));
              try {
                first.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              c.write(chunk(Arrays.copyOfRange(all, most, all.length)));
              c.write("0\r\n\r\n");
            });

    ProviderOutcome outcome =
        provider.stream(
            more -> {
              heard.append(more);
              first.countDown();
            });

    assertAnswered(outcome);
    assertThat(heard.toString()).isEqualTo(DialectContract.text(((Answered) outcome).answer()));
  }

  @ParameterizedTest
  @ValueSource(strings = {": ping\n\n", "event: ping\ndata:\n\n"})
  void pings_are_life(String ping) {
    byte[] all = body(Manner.STREAMED);
    provider
        .server()
        .play(
            c -> {
              c.write(chunkedHead(Manner.STREAMED));
              for (int i = 0; i < 8; i++) {
                c.write(chunk(ping.getBytes(UTF_8)));
                assertThat(c.waitForHangUp(100)).isFalse();
              }
              c.write(chunk(all));
              c.write("0\r\n\r\n");
            });

    ProviderOutcome outcome = ask(Manner.STREAMED);

    assertAnswered(outcome);
    assertThat(outcome.receipt().duration()).isGreaterThan(Duration.ofMillis(700));
  }

  @ParameterizedTest
  @ValueSource(strings = {"overloaded.sse", "limited.sse"})
  void an_error_amid_a_stream_is_classified_by_its_type(String file) {
    provider
        .server()
        .play(
            c -> {
              c.write(chunkedHead(Manner.STREAMED));
              c.write(chunk(fixture.bytes(file)));
              c.write("0\r\n\r\n");
            });

    ProviderOutcome outcome = ask(Manner.STREAMED);

    String code = file.equals("overloaded.sse") ? "provider_overloaded" : "rate_limited";
    assertFailed(outcome, Refused.class, code);
    assertThat(failure(outcome).billed()).isEqualTo(Billed.UNKNOWN);
  }
}
