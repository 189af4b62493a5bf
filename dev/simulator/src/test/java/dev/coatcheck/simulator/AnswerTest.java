package dev.coatcheck.simulator;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AnswerTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);
  private static final int A_MOMENT_MS = 100;
  private static final Reply HELLO = Reply.json(200, "{\"hello\":1}");

  private final Simulator simulator = Simulator.start();
  private Caller caller;

  @BeforeEach
  void call() throws IOException {
    caller = new Caller(simulator);
  }

  @AfterEach
  void stop() throws IOException {
    caller.close();
    simulator.close();
  }

  @Test
  void a_reply_is_sent_word_for_word() throws IOException {
    answer(Reply.json(418, "{}").with("x-a", "1").with("x-a", "2"));
    var answered = caller.answer();
    assertThat(answered.status()).isEqualTo(418);
    assertThat(answered.headers()).contains("x-a: 1", "x-a: 2", "x-request-id: req_sim1");
    assertThat(answered.header("date")).endsWith(" GMT");
    assertThat(answered.header("openai-processing-ms")).matches("\\d+");
    assertThat(answered.text()).isEqualTo("{}");
    assertEnding(Ending.WHOLE);
  }

  @Test
  void a_reply_may_name_its_own_standard_headers() throws IOException {
    answer(HELLO.with("date", "yesterday").with("x-request-id", "mine"));
    assertThat(caller.answer().headers())
        .contains("date: yesterday", "x-request-id: mine")
        .doesNotContain("x-request-id: req_sim1");
  }

  @Test
  void a_chunked_reply_ends_with_its_last_chunk() throws IOException {
    answer(HELLO.framed(Framing.CHUNKED));
    assertThat(caller.head())
        .contains("transfer-encoding: chunked")
        .doesNotContain("content-length");
    assertThat(caller.read(21)).isEqualTo("b\r\n{\"hello\":1}\r\n0\r\n\r\n");
    assertThat(caller.ask("again").status()).isEqualTo(200);
  }

  @Test
  void a_reply_until_close_ends_with_the_connection() throws IOException {
    answer(HELLO.framed(Framing.UNTIL_CLOSE));
    assertThat(caller.head()).contains("connection: close").doesNotContain("content-length");
    assertThat(caller.readToEnd()).isEqualTo(HELLO.body().bytes());
    assertEnding(Ending.WHOLE);
  }

  @Test
  void a_packed_reply_unpacks_to_itself() throws IOException {
    answer(HELLO.gzipped());
    var answered = caller.answer();
    assertThat(answered.header("content-encoding")).isEqualTo("gzip");
    try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(answered.body().array()))) {
      assertThat(unpacked.readAllBytes()).isEqualTo(HELLO.body().bytes());
    }
  }

  @Test
  void a_delay_comes_before_the_first_byte() throws IOException {
    long start = System.nanoTime();
    answer(HELLO.after(Duration.ofMillis(120)));
    assertThat(caller.answer().status()).isEqualTo(200);
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(120_000_000);
  }

  @Test
  void a_delay_holds_also_when_the_next_request_is_there_already() throws IOException {
    long start = System.nanoTime();
    answer(HELLO.after(Duration.ofMillis(120)));
    caller.send(Caller.chat("next"));
    caller.answer();
    assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(120_000_000);
    assertThat(caller.answer().text()).contains("next");
  }

  @Test
  void a_caller_that_leaves_during_the_delay_is_noticed() throws IOException {
    answer(HELLO.after(Duration.ofHours(1)));
    awaitEnding(Ending.OPEN);
    caller.leave();
    awaitEnding(Ending.CALLER_LEFT);
  }

  @Test
  void a_hang_sends_nothing_until_the_caller_leaves() throws IOException {
    answer(Answer.hang());
    assertSilence();
    assertThat(simulator.ledger().counts().open()).isEqualTo(1);
    caller.leave();
    awaitEnding(Ending.CALLER_LEFT);
    assertThat(simulator.ledger().counts().open()).isZero();
  }

  @Test
  void a_caller_that_resets_is_one_that_left() throws IOException {
    answer(Answer.hang());
    awaitEnding(Ending.OPEN);
    caller.socket().setSoLinger(true, 0);
    caller.leave();
    awaitEnding(Ending.CALLER_LEFT);
  }

  @Test
  void a_hang_up_closes_without_a_byte() throws IOException {
    answer(Answer.hangUp());
    assertThat(caller.readToEnd()).isEmpty();
    assertEnding(Ending.BROKEN_OFF);
  }

  @Test
  void a_reset_is_a_reset() throws IOException {
    answer(Answer.reset());
    assertReset();
    assertEnding(Ending.BROKEN_OFF);
  }

  @Test
  void a_reset_can_wait_for_the_head() throws IOException {
    answer(Answer.reset(HELLO, 0));
    assertThat(caller.head()).contains("content-length: 11");
    assertReset();
  }

  @Test
  void a_reset_can_wait_for_a_part_of_the_body() throws IOException {
    answer(Answer.reset(HELLO, 4));
    caller.head();
    assertThat(caller.read(4)).isEqualTo("{\"he");
    assertReset();
  }

  @Test
  void a_stall_falls_silent_within_the_body() throws IOException {
    answer(Answer.stall(HELLO, 4));
    caller.head();
    assertThat(caller.read(4)).isEqualTo("{\"he");
    assertSilence();
    caller.leave();
    awaitEnding(Ending.CALLER_LEFT);
  }

  @Test
  void a_cut_announces_more_than_it_sends() throws IOException {
    answer(Answer.cut(HELLO, 4));
    assertThat(caller.head()).contains("content-length: 11");
    assertThat(new String(caller.readToEnd(), UTF_8)).isEqualTo("{\"he");
    assertEnding(Ending.BROKEN_OFF);
  }

  @Test
  void a_cut_between_chunks_lacks_the_last_one() throws IOException {
    answer(Answer.cut(HELLO.framed(Framing.CHUNKED), 4));
    caller.head();
    assertThat(new String(caller.readToEnd(), UTF_8)).isEqualTo("4\r\n{\"he\r\n");
  }

  @Test
  void a_whole_answer_may_be_followed_by_an_unannounced_close() throws IOException {
    answer(Answer.closedAfter(HELLO));
    assertThat(caller.answer().header("connection")).isEmpty();
    assertThat(caller.read()).isEqualTo(-1);
    assertEnding(Ending.WHOLE);
  }

  @Test
  void a_whole_answer_may_be_followed_by_a_reset() throws IOException {
    answer(new Answer.Parted(HELLO, Parting.RESET));
    assertThat(caller.answer().text()).isEqualTo("{\"hello\":1}");
    assertReset();
  }

  @Test
  void a_trickle_sends_a_byte_at_a_time() throws IOException {
    answer(new Answer.Trickle(HELLO, Duration.ofMillis(5)));
    caller.head();
    long start = System.nanoTime();
    assertThat(caller.read(11)).isEqualTo("{\"hello\":1}");
    assertThat(System.nanoTime() - start).isGreaterThan(40_000_000);
    assertThat(caller.ask("again").status()).isEqualTo(200);
  }

  @Test
  void a_caller_that_leaves_a_trickle_is_noticed() throws IOException {
    answer(new Answer.Trickle(HELLO, Duration.ofMinutes(1)));
    caller.head();
    caller.leave();
    awaitEnding(Ending.CALLER_LEFT);
  }

  @Test
  void an_endless_body_goes_on_until_the_caller_leaves() throws IOException {
    answer(new Answer.Endless(Reply.json(200, "x".repeat(8192))));
    caller.head();
    assertThat(caller.read(20_000_000)).hasSize(20_000_000);
    caller.leave();
    awaitEnding(Ending.CALLER_LEFT);
  }

  @Test
  void a_bomb_is_a_thousand_times_larger_unpacked() throws IOException {
    answer(new Answer.GzipBomb(16 * 1024 * 1024));
    assertThat(caller.head()).contains("content-encoding: gzip");
    var packed = unchunked();
    assertThat(packed.length).isLessThan(64 * 1024);
    try (var unpacked = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      assertThat(unpacked.readAllBytes().length).isGreaterThan(16 * 1024 * 1024);
    }
    assertEnding(Ending.WHOLE);
  }

  @Test
  void raw_bytes_are_sent_as_they_are() throws IOException {
    answer(new Answer.Raw(Body.text("HTTP/1.1 two hundred\r\n"), Parting.CLOSE));
    assertThat(new String(caller.readToEnd(), UTF_8)).isEqualTo("HTTP/1.1 two hundred\r\n");
  }

  @Test
  void an_early_answer_does_not_wait_for_the_body() throws IOException {
    simulator.early(head -> head.path().equals("/early"), OpenAiErrors.status(413));
    caller.send("POST /early HTTP/1.1\r\ncontent-length: 1000000\r\n\r\n{");
    assertThat(caller.answer().status()).isEqualTo(413);
    caller.send("x".repeat(999_999));
    assertThat(caller.read()).isEqualTo(-1);
    assertEnding(Ending.WHOLE);
  }

  @Test
  void a_lying_length_is_sent_as_told() throws IOException {
    answer(HELLO.with("content-length", "3"));
    assertThat(caller.answer().text()).isEqualTo("{\"h");
  }

  private void answer(Answer answer) throws IOException {
    simulator.queue(Match.prompt("please"), answer);
    caller.send(Caller.chat("please"));
  }

  private byte[] unchunked() throws IOException {
    var body = new ByteArrayOutputStream();
    while (true) {
      var line = new StringBuilder();
      while (line.indexOf("\r\n") < 0) {
        line.append((char) caller.read());
      }
      int size = Integer.parseInt(line.substring(0, line.length() - 2), 16);
      if (size == 0) {
        return body.toByteArray();
      }
      body.writeBytes(caller.read(size).getBytes(ISO_8859_1));
      caller.read(2);
    }
  }

  private void assertReset() {
    assertThatThrownBy(caller::read)
        .isInstanceOf(SocketException.class)
        .hasMessageContaining("reset");
  }

  private void assertSilence() throws SocketException {
    caller.socket().setSoTimeout(A_MOMENT_MS);
    assertThatThrownBy(caller::read).isInstanceOf(SocketTimeoutException.class);
  }

  private void awaitEnding(Ending ending) {
    simulator.ledger().await(entry -> entry.ending() == ending, 1, LIMIT);
  }

  private void assertEnding(Ending ending) {
    awaitEnding(ending);
    assertThat(simulator.ledger().entries().getFirst().ending()).isEqualTo(ending);
  }
}
