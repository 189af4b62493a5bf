package dev.coatcheck.worker.egress;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.worker.egress.EgressResult.Aborted;
import dev.coatcheck.worker.egress.EgressResult.Head;
import dev.coatcheck.worker.egress.EgressResult.Loss;
import dev.coatcheck.worker.egress.EgressResult.Lost;
import dev.coatcheck.worker.egress.EgressResult.NotSent;
import dev.coatcheck.worker.egress.EgressResult.Reach;
import dev.coatcheck.worker.egress.EgressResult.Response;
import dev.coatcheck.worker.egress.EgressResult.Unsent;
import dev.coatcheck.worker.raw.Conversation;
import dev.coatcheck.worker.raw.RawServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.util.unit.DataSize;

/** What the door does when the other side misbehaves, after Airlift's list. */
@Timeout(30)
class EgressContractTest {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration SHORT = Duration.ofMillis(400);
  private static final EgressSettings SETTINGS =
      new EgressSettings(
          Duration.ofMillis(500), Duration.ofMillis(200), DataSize.ofMegabytes(1), null, null);

  private final Egress egress =
      Egress.open(SETTINGS, 50, EgressProbe.inert(), ResolveHost.system(LONG));
  private final RawServer server = start();

  private static RawServer start() {
    try {
      return RawServer.start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @AfterEach
  void stop() throws IOException {
    egress.close();
    server.close();
  }

  private EgressResult post(Duration timeout) {
    return post(server.uri(), Body.utf8("{\"a\":1}"), timeout);
  }

  private EgressResult post(URI uri, Body body, Duration timeout) {
    return egress.exchange(new EgressRequest(uri, List.of(), body, timeout), new OutboundCall());
  }

  @Test
  void a_whole_answer_comes_back_with_its_headers_in_any_case() {
    server.play(c -> c.answer(429, "{\"x\": 1.0}", "Retry-After: 5", "X-Two: a", "x-two: b"));

    Response response = (Response) post(LONG);

    assertThat(response.status()).isEqualTo(429);
    assertThat(response.body().text()).isEqualTo("{\"x\": 1.0}");
    assertThat(response.headers().first("retry-after")).contains("5");
    assertThat(response.headers().fields().get("x-two")).containsExactly("a", "b");
    assertThat(response.duration()).isPositive();
  }

  @Test
  void the_request_goes_out_as_it_is_and_says_who_sends_it() {
    EgressRequest request =
        new EgressRequest(
            URI.create(server.uri() + "?api-version=2"),
            List.of(new Header("Authorization", "Bearer k"), new Header("X-Title", "t")),
            Body.utf8("{\"ü\": 1.0}"),
            LONG);

    assertThat(egress.exchange(request, new OutboundCall())).isInstanceOf(Response.class);

    Conversation.Request seen = server.requests().getFirst();
    assertThat(seen.line()).isEqualTo("POST /v1/chat/completions?api-version=2 HTTP/1.1");
    assertThat(seen.body()).isEqualTo("{\"ü\": 1.0}");
    assertThat(seen.header("authorization")).contains("Bearer k");
    assertThat(seen.header("user-agent")).contains("coatcheck");
    assertThat(seen.head()).doesNotContainIgnoringCase("upgrade").doesNotContain("Expect");
  }

  @Test
  void a_refused_connection_sent_nothing() throws IOException {
    try (Socket deaf = new Socket()) {
      // Bound, so that nobody else takes the port, and listening to nobody.
      deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

      EgressResult result =
          post(URI.create("http://127.0.0.1:" + deaf.getLocalPort() + "/"), Body.EMPTY, LONG);

      assertThat(result).isInstanceOf(NotSent.class).extracting("cause").isEqualTo(Unsent.REFUSED);
    }
  }

  @Test
  void an_unresolvable_host_sent_nothing() {
    URI nowhere = URI.create("http://no-such-host.invalid/v1");

    EgressResult result = post(nowhere, Body.EMPTY, LONG);

    assertThat(result).isInstanceOf(NotSent.class).extracting("cause").isEqualTo(Unsent.UNRESOLVED);
  }

  @Test
  void a_connection_that_never_stands_ends_at_the_connect_timeout_and_sent_nothing()
      throws IOException {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<Socket> fillers = fill(full);

      EgressResult result = post(uri(full), Body.EMPTY, LONG);

      assertThat(result)
          .isInstanceOf(NotSent.class)
          .extracting("cause")
          .isEqualTo(Unsent.CONNECT_TIMEOUT);
      assertThat(result.duration()).isBetween(Duration.ofMillis(400), Duration.ofSeconds(3));
      for (Socket filler : fillers) {
        filler.close();
      }
    }
  }

  @Test
  void an_attempt_timeout_shorter_than_the_connect_timeout_holds_too() throws IOException {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<Socket> fillers = fill(full);

      EgressResult result = post(uri(full), Body.EMPTY, Duration.ofMillis(100));

      assertThat(result).isInstanceOf(NotSent.class).extracting("cause").isEqualTo(Unsent.TIMEOUT);
      assertThat(result.duration()).isLessThan(Duration.ofMillis(450));
      for (Socket filler : fillers) {
        filler.close();
      }
    }
  }

  /** Fills the backlog of a listener that never accepts: the next SYN is not answered. */
  private static List<Socket> fill(ServerSocket listener) throws IOException {
    List<Socket> fillers = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      Socket filler = new Socket();
      fillers.add(filler);
      try {
        filler.connect(listener.getLocalSocketAddress(), 50);
      } catch (java.net.SocketTimeoutException isFull) {
        return fillers;
      }
    }
    return fillers;
  }

  private static URI uri(ServerSocket listener) {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/");
  }

  @Test
  void a_tls_handshake_with_a_server_that_speaks_none_sent_nothing() {
    server.withoutReading().otherwise(c -> c.write("HTTP/1.1 400 no\r\n\r\n"));

    EgressResult result =
        post(URI.create("https://127.0.0.1:" + server.port() + "/"), Body.utf8("secret"), LONG);

    assertThat(result).isInstanceOf(NotSent.class).extracting("cause").isEqualTo(Unsent.TLS);
  }

  @Test
  void a_tls_handshake_that_never_ends_sent_nothing() {
    server.withoutReading().otherwise(c -> c.waitForHangUp(10_000));

    EgressResult result =
        post(URI.create("https://127.0.0.1:" + server.port() + "/"), Body.utf8("secret"), LONG);

    assertThat(result).isInstanceOf(NotSent.class);
    assertThat(result.duration()).isLessThan(Duration.ofSeconds(3));
  }

  @Test
  void a_server_that_reads_and_never_answers_ends_at_the_timeout_and_may_have_been_reached() {
    server.play(c -> c.waitForHangUp(10_000));

    EgressResult result = post(SHORT);

    assertThat(result).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.TIMEOUT);
    assertThat(result.duration()).isBetween(SHORT, SHORT.plusMillis(400));
  }

  @Test
  void the_socket_is_closed_at_the_timeout() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    server.play(
        c -> {
          if (c.waitForHangUp(10_000)) {
            hungUp.countDown();
          }
        });

    post(SHORT);

    assertThat(hungUp.await(2, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void headers_may_take_longer_than_the_idle_limit() {
    server.play(
        c -> {
          assertThat(c.waitForHangUp(600)).isFalse();
          c.answer(200, "late");
        });

    assertThat(post(LONG)).isInstanceOf(Response.class);
  }

  @Test
  void a_stalled_body_ends_at_the_idle_limit_with_what_had_come() {
    server.play(
        c -> {
          c.write(
              Conversation.head(200, "Content-Length: 1000", "X-Request-Id: r1") + "0123456789");
          c.waitForHangUp(10_000);
        });

    EgressResult result = post(LONG);

    Head head = Objects.requireNonNull(((Lost) result).head());
    assertThat(((Lost) result).cause()).isEqualTo(Loss.IDLE);
    assertThat(head.headers().first("x-request-id")).contains("r1");
    assertThat(head.received().text()).isEqualTo("0123456789");
    assertThat(result.duration()).isBetween(Duration.ofMillis(200), Duration.ofMillis(900));
  }

  @Test
  void a_body_that_stalls_right_after_the_headers_ends_at_the_idle_limit() {
    server.play(
        c -> {
          c.write(Conversation.head(200, "Content-Length: 1000"));
          c.waitForHangUp(10_000);
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.IDLE);
  }

  @Test
  void a_trickling_body_ends_at_the_timeout() {
    server.play(
        c -> {
          c.write(Conversation.head(200, "Content-Length: 100000"));
          while (!c.waitForHangUp(50)) {
            c.write("x");
          }
        });

    EgressResult result = post(Duration.ofMillis(700));

    assertThat(result).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.TIMEOUT);
    assertThat(result.duration()).isBetween(Duration.ofMillis(700), Duration.ofMillis(1_300));
  }

  @Test
  void trickling_headers_end_at_the_timeout() {
    server.play(
        c -> {
          c.write("HTTP/1.1 200 OK\r\nX-Slow: ");
          while (!c.waitForHangUp(50)) {
            c.write("x");
          }
        });

    assertThat(post(SHORT)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.TIMEOUT);
  }

  @Test
  void a_body_slower_than_the_timeout_of_any_read_is_fine_while_it_moves() {
    server.play(
        c -> {
          c.write(Conversation.head(200, "Content-Length: 6"));
          for (int i = 0; i < 6; i++) {
            assertThat(c.waitForHangUp(100)).isFalse();
            c.write("x");
          }
        });

    assertThat(((Response) post(LONG)).body().text()).isEqualTo("xxxxxx");
  }

  @Test
  void an_endless_body_is_cut_at_the_cap() {
    server.play(
        c -> {
          c.write(Conversation.head(200, "Transfer-Encoding: chunked"));
          String chunk = "4000\r\n" + "x".repeat(0x4000) + "\r\n";
          while (true) {
            c.write(chunk);
          }
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.TOO_LARGE);
  }

  @Test
  void a_body_of_exactly_the_cap_is_whole_and_one_byte_more_is_not() {
    int cap = (int) DataSize.ofMegabytes(1).toBytes();
    server.play(c -> c.answer(200, "x".repeat(cap)), c -> c.answer(200, "x".repeat(cap + 1)));

    assertThat(((Response) post(LONG)).body().length()).isEqualTo(cap);
    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.TOO_LARGE);
  }

  @Test
  void a_gzip_bomb_is_cut_at_the_cap_of_what_it_would_become() throws IOException {
    byte[] bomb = gzip(new byte[64 * 1024 * 1024]);
    assertThat(bomb.length).isLessThan(100_000);
    server.play(
        c -> {
          c.write(
              Conversation.head(200, "Content-Length: " + bomb.length, "Content-Encoding: gzip"));
          c.write(bomb);
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.TOO_LARGE);
  }

  @Test
  void a_compressed_answer_is_unpacked() throws IOException {
    byte[] packed = gzip("{\"a\":\"ü\"}".getBytes(UTF_8));
    server.play(
        c -> {
          c.write(
              Conversation.head(200, "Content-Length: " + packed.length, "Content-Encoding: gzip"));
          c.write(packed);
        });

    assertThat(((Response) post(LONG)).body().text()).isEqualTo("{\"a\":\"ü\"}");
    assertThat(server.requests().getFirst().header("accept-encoding").orElse("")).contains("gzip");
  }

  @Test
  void a_compressed_answer_that_breaks_off_is_lost() throws IOException {
    byte[] packed = gzip("x".repeat(1_000).getBytes(UTF_8));
    server.play(
        c -> {
          c.write(
              Conversation.head(
                  200, "Content-Length: " + (packed.length - 9), "Content-Encoding: gzip"));
          c.write(java.util.Arrays.copyOf(packed, packed.length - 9));
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class);
  }

  private static byte[] gzip(byte[] plain) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(packed)) {
      out.write(plain);
    }
    return packed.toByteArray();
  }

  @Test
  void an_answer_shorter_than_its_length_is_lost() {
    server.play(
        c -> {
          c.write(Conversation.head(200, "Content-Length: 1000") + "0123456789");
          c.hangUp();
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.CONNECTION);
  }

  @Test
  void a_chunked_answer_that_breaks_off_is_lost() {
    server.play(
        c -> {
          c.write(Conversation.head(200, "Transfer-Encoding: chunked") + "5\r\n01234\r\n");
          c.hangUp();
        },
        c -> {
          c.write(Conversation.head(200, "Transfer-Encoding: chunked") + "5\r\n01");
          c.hangUp();
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class);
    assertThat(post(LONG)).isInstanceOf(Lost.class);
  }

  @Test
  void a_hang_up_without_a_byte_is_lost_not_unsent() {
    server.play(Conversation::hangUp);

    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.CONNECTION);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void a_reset_before_or_after_the_headers_is_lost_and_never_sent_again_by_the_client() {
    server.play(
        Conversation::reset,
        c -> {
          c.write(Conversation.head(200, "Content-Length: 1000"));
          c.reset();
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class);
    assertThat(post(LONG)).isInstanceOf(Lost.class);
    assertThat(server.requests()).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "garbage\r\n\r\n",
        "HTTP/9.9 200 OK\r\n\r\n",
        "HTTP/1.1 abc OK\r\n\r\n",
        "\u0000\u0001\u0002\u0003",
        "HTTP/1.1 200 OK\r\nno colon here\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: nonsense\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        "220 smtp.example ESMTP\r\n"
      })
  void junk_then_a_hang_up_never_throws(String junk) {
    server.play(
        c -> {
          c.write(junk);
          c.hangUp();
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class);
  }

  @Test
  void endless_headers_and_endless_header_lines_are_cut() {
    server.play(
        c -> {
          c.write("HTTP/1.1 200 OK\r\n");
          for (int i = 0; ; i++) {
            c.write("X-" + i + ": y\r\n");
          }
        },
        c -> {
          c.write("HTTP/1.1 200 OK\r\nX-Long: ");
          while (true) {
            c.write("y".repeat(1_000));
          }
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.GARBLED);
    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.GARBLED);
  }

  @Test
  void a_refusal_that_comes_before_a_large_request_is_read() {
    server
        .withoutReading()
        .otherwise(
            c -> {
              c.answer(413, "too large", "Connection: close");
              c.waitForHangUp(5_000);
            });

    EgressResult result = post(server.uri(), Body.of(new byte[16 * 1024 * 1024]), LONG);

    assertThat(result).isInstanceOf(Response.class).extracting("status").isEqualTo(413);
  }

  @Test
  void a_hang_up_in_the_middle_of_a_large_request_is_lost() {
    server
        .withoutReading()
        .otherwise(
            c -> {
              c.read(1_000);
              c.reset();
            });

    assertThat(post(server.uri(), Body.of(new byte[16 * 1024 * 1024]), LONG))
        .isInstanceOf(Lost.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void a_redirect_is_an_answer_and_not_followed(int status) {
    server.play(c -> c.answer(status, "", "Location: " + server.uri()));

    assertThat(post(LONG)).isInstanceOf(Response.class).extracting("status").isEqualTo(status);
    assertThat(server.requests()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 429, 500, 502, 503, 504})
  void no_status_makes_the_client_send_again_by_itself(int status) {
    server.otherwise(c -> c.answer(status, "", "Retry-After: 0"));

    assertThat(post(LONG)).isInstanceOf(Response.class);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void a_401_with_a_challenge_is_an_answer() {
    server.otherwise(c -> c.answer(401, "", "WWW-Authenticate: Basic realm=\"x\""));

    assertThat(post(LONG)).isInstanceOf(Response.class);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void cookies_are_not_kept() {
    server.play(c -> c.answer(200, "", "Set-Cookie: a=b; Path=/"));

    post(LONG);
    post(LONG);

    assertThat(server.requests().getLast().header("cookie")).isEmpty();
  }

  @Test
  void a_switch_of_protocols_is_an_answer() {
    server.play(
        c -> {
          c.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n");
          c.waitForHangUp(5_000);
        });

    assertThat(post(LONG)).isInstanceOf(Response.class).extracting("status").isEqualTo(101);
  }

  @Test
  void an_interim_answer_is_not_the_answer() {
    server.play(
        c -> {
          c.write("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n");
          c.answer(200, "yes");
        });

    assertThat(post(LONG)).isInstanceOf(Response.class).extracting("status").isEqualTo(200);
  }

  @Test
  void a_connection_is_reused() {
    post(LONG);
    post(LONG);

    assertThat(server.requests()).hasSize(2);
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void a_reused_connection_that_the_server_has_closed_is_no_false_loss() throws IOException {
    for (int i = 0; i < 20; i++) {
      assertThat(post(LONG)).isInstanceOf(Response.class);
      server.closeConnections();
    }
    assertThat(server.requests()).hasSize(20);
  }

  @Test
  void a_connection_with_bytes_nobody_asked_for_is_not_reused() {
    server.play(c -> c.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n"));

    assertThat(((Response) post(LONG)).body().text()).isEqualTo("x");
    assertThat(((Response) post(LONG)).body().text()).isEqualTo("{}");
  }

  @Test
  void a_call_is_aborted_from_another_thread_at_once() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch hungUp = new CountDownLatch(1);
    server.play(
        c -> {
          arrived.countDown();
          if (c.waitForHangUp(10_000)) {
            hungUp.countDown();
          }
        });
    OutboundCall call = new OutboundCall();

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<EgressResult> running =
          threads.submit(
              () ->
                  egress.exchange(
                      new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG), call));
      assertThat(arrived.await(5, TimeUnit.SECONDS)).isTrue();
      call.abort(AbortReason.CANCELLED);
      call.abort(AbortReason.STOPPING);

      EgressResult result = running.get(1, TimeUnit.SECONDS);
      assertThat(result)
          .isInstanceOf(Aborted.class)
          .extracting("reason", "reach")
          .containsExactly(AbortReason.CANCELLED, Reach.MAYBE_SENT);
      assertThat(hungUp.await(1, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_call_that_waits_for_its_connection_is_aborted_too() throws Exception {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Egress patient =
            Egress.open(
                EgressSettings.standard(), 5, EgressProbe.inert(), ResolveHost.system(LONG));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Socket> fillers = fill(full);
      OutboundCall call = new OutboundCall();
      Future<EgressResult> running =
          threads.submit(
              () ->
                  patient.exchange(
                      new EgressRequest(uri(full), List.of(), Body.EMPTY, LONG), call));
      await().until(call::isOpen);

      call.abort(AbortReason.LEASE_LOST);

      assertThat(running.get(1, TimeUnit.SECONDS))
          .isInstanceOf(Aborted.class)
          .extracting("reason", "reach")
          .containsExactly(AbortReason.LEASE_LOST, Reach.NOTHING_SENT);
      for (Socket filler : fillers) {
        filler.close();
      }
    }
  }

  @Test
  void a_look_up_that_hangs_holds_neither_the_timeout_nor_an_abort() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    ResolveHost hanging =
        new SystemHosts(
            LONG,
            host -> {
              try {
                assertThat(never.await(20, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                throw new UnknownHostException(host);
              }
              return List.of(InetAddress.getLoopbackAddress());
            });
    try (Egress slow = Egress.open(SETTINGS, 5, EgressProbe.inert(), hanging);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      URI uri = URI.create("http://slow.example/");
      OutboundCall call = new OutboundCall();
      Future<EgressResult> running =
          threads.submit(
              () -> slow.exchange(new EgressRequest(uri, List.of(), Body.EMPTY, LONG), call));
      EgressResult timedOut =
          slow.exchange(new EgressRequest(uri, List.of(), Body.EMPTY, SHORT), new OutboundCall());
      call.abort(AbortReason.DEADLINE);

      assertThat(running.get(1, TimeUnit.SECONDS)).isInstanceOf(Aborted.class);
      assertThat(timedOut)
          .isInstanceOf(NotSent.class)
          .extracting("cause")
          .isEqualTo(Unsent.TIMEOUT);
      assertThat(timedOut.duration()).isBetween(SHORT, SHORT.plusMillis(600));
      never.countDown();
    }
  }

  @Test
  void a_tls_handshake_that_hangs_holds_neither_the_timeout_nor_an_abort() throws Exception {
    server.withoutReading().otherwise(c -> c.waitForHangUp(20_000));
    URI uri = URI.create("https://127.0.0.1:" + server.port() + "/");
    try (Egress patient =
            Egress.open(
                EgressSettings.standard(), 5, EgressProbe.inert(), ResolveHost.system(LONG));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      OutboundCall call = new OutboundCall();
      Future<EgressResult> running =
          threads.submit(
              () -> patient.exchange(new EgressRequest(uri, List.of(), Body.EMPTY, LONG), call));
      EgressResult timedOut =
          patient.exchange(
              new EgressRequest(uri, List.of(), Body.EMPTY, SHORT), new OutboundCall());
      call.abort(AbortReason.CANCELLED);

      assertThat(running.get(1, TimeUnit.SECONDS))
          .isInstanceOf(Aborted.class)
          .extracting("reach")
          .isEqualTo(Reach.NOTHING_SENT);
      assertThat(timedOut).isInstanceOf(NotSent.class);
      assertThat(timedOut.duration()).isBetween(SHORT, SHORT.plusMillis(600));
    }
  }

  @Test
  void a_call_that_waits_for_a_full_pool_is_aborted_too() throws Exception {
    server.otherwise(c -> c.waitForHangUp(20_000));
    try (Egress narrow = Egress.open(SETTINGS, 1, EgressProbe.inert(), ResolveHost.system(LONG));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      OutboundCall first = new OutboundCall();
      OutboundCall second = new OutboundCall();
      EgressRequest request = new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG);
      Future<EgressResult> holding = threads.submit(() -> narrow.exchange(request, first));
      await().until(() -> server.requests().size() == 1);
      Future<EgressResult> waiting = threads.submit(() -> narrow.exchange(request, second));
      await().until(second::isOpen);

      second.abort(AbortReason.CANCELLED);

      assertThat(waiting.get(1, TimeUnit.SECONDS))
          .isInstanceOf(Aborted.class)
          .extracting("reach")
          .isEqualTo(Reach.NOTHING_SENT);
      first.abort(AbortReason.CANCELLED);
      assertThat(holding.get(1, TimeUnit.SECONDS)).isInstanceOf(Aborted.class);
    }
  }

  @Test
  void a_call_aborted_before_it_starts_sends_nothing() {
    OutboundCall call = new OutboundCall();
    call.abort(AbortReason.STOPPING);

    EgressResult result =
        egress.exchange(new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG), call);

    assertThat(result)
        .isInstanceOf(Aborted.class)
        .extracting("reach")
        .isEqualTo(Reach.NOTHING_SENT);
    assertThat(server.connections()).isZero();
  }

  @Test
  void an_abort_after_the_answer_changes_nothing() {
    OutboundCall call = new OutboundCall();

    EgressResult result =
        egress.exchange(new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG), call);
    call.abort(AbortReason.CANCELLED);

    assertThat(result).isInstanceOf(Response.class);
    assertThat(post(LONG)).isInstanceOf(Response.class);
  }

  @Test
  void a_timeout_of_nothing_sends_nothing() {
    assertThat(post(Duration.ZERO)).isInstanceOf(NotSent.class);
    assertThat(post(Duration.ofSeconds(-1))).isInstanceOf(NotSent.class);
    assertThat(server.connections()).isZero();
  }

  @Test
  void the_address_that_the_hook_gives_is_the_one_connected_to() throws IOException {
    ResolveHost toLoopback = host -> List.of(InetAddress.getLoopbackAddress());
    ResolveHost nobody =
        host -> {
          throw new UnknownHostException(host);
        };
    URI elsewhere = URI.create("http://provider.example:" + server.port() + "/v1");

    try (Egress hooked = Egress.open(SETTINGS, 5, EgressProbe.inert(), toLoopback);
        Egress closed = Egress.open(SETTINGS, 5, EgressProbe.inert(), nobody)) {
      EgressRequest request = new EgressRequest(elsewhere, List.of(), Body.EMPTY, LONG);
      assertThat(hooked.exchange(request, new OutboundCall())).isInstanceOf(Response.class);
      assertThat(server.requests().getFirst().header("host"))
          .contains("provider.example:" + server.port());
      assertThat(closed.exchange(request, new OutboundCall())).isInstanceOf(NotSent.class);
    }
  }

  @Test
  void the_probe_sees_each_call_open_and_close_on_its_own_thread() {
    AtomicInteger open = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Thread me = Thread.currentThread();
    EgressProbe probe =
        new EgressProbe() {
          @Override
          public void opened() {
            assertThat(Thread.currentThread()).isEqualTo(me);
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
          }

          @Override
          public void closed() {
            assertThat(Thread.currentThread()).isEqualTo(me);
            open.decrementAndGet();
          }
        };
    server.play(c -> c.answer(200, "a"), Conversation::reset);

    try (Egress probed = Egress.open(SETTINGS, 5, probe, ResolveHost.system(LONG))) {
      EgressRequest request = new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG);
      probed.exchange(request, new OutboundCall());
      probed.exchange(request, new OutboundCall());
    }
    assertThat(open).hasValue(0);
    assertThat(most).hasValue(1);
  }

  @Test
  void a_full_pool_is_waited_for_only_as_long_as_the_attempt_may_take() throws Exception {
    server.otherwise(c -> c.waitForHangUp(10_000));
    try (Egress narrow = Egress.open(SETTINGS, 1, EgressProbe.inert(), ResolveHost.system(LONG));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      OutboundCall first = new OutboundCall();
      EgressRequest slow = new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG);
      Future<EgressResult> holding = threads.submit(() -> narrow.exchange(slow, first));
      await().until(() -> server.requests().size() == 1);

      EgressResult result =
          narrow.exchange(
              new EgressRequest(server.uri(), List.of(), Body.EMPTY, SHORT), new OutboundCall());

      assertThat(result).isInstanceOf(NotSent.class);
      assertThat(result.duration()).isLessThan(Duration.ofSeconds(2));
      first.abort(AbortReason.CANCELLED);
      assertThat(holding.get(1, TimeUnit.SECONDS)).isInstanceOf(Aborted.class);
    }
  }

  @Test
  void no_fault_keeps_its_place_in_the_pool() {
    Duration brief = Duration.ofMillis(60);
    try (Egress narrow = Egress.open(SETTINGS, 2, EgressProbe.inert(), ResolveHost.system(LONG))) {
      for (int round = 0; round < 5; round++) {
        server.play(
            Conversation::hangUp,
            Conversation::reset,
            c -> c.waitForHangUp(5_000),
            c -> {
              c.write(Conversation.head(200, "Content-Length: 1000") + "x");
              c.waitForHangUp(5_000);
            },
            c -> c.write(Conversation.head(200, "Content-Length: 99999999")),
            c -> {
              c.write(Conversation.head(200, "Transfer-Encoding: chunked") + "5\r\n01");
              c.hangUp();
            },
            c -> {
              c.write("garbage\r\n\r\n");
              c.hangUp();
            },
            c -> {
              c.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
              c.waitForHangUp(5_000);
            });
        for (int fault = 0; fault < 8; fault++) {
          EgressRequest request = new EgressRequest(server.uri(), List.of(), Body.EMPTY, brief);
          assertThat(narrow.exchange(request, new OutboundCall())).isNotInstanceOf(NotSent.class);
        }
      }
      EgressRequest request = new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG);
      assertThat(narrow.exchange(request, new OutboundCall())).isInstanceOf(Response.class);
      assertThat(narrow.exchange(request, new OutboundCall())).isInstanceOf(Response.class);
    }
  }

  @Test
  void a_thousand_calls_wait_at_once() throws Exception {
    int calls = 1_000;
    CountDownLatch all = new CountDownLatch(calls);
    server.otherwise(
        c -> {
          all.countDown();
          try {
            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          c.answer(200, "x");
        });
    try (Egress wide = Egress.open(SETTINGS, calls, EgressProbe.inert(), ResolveHost.system(LONG));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<EgressResult>> running = new ArrayList<>();
      for (int i = 0; i < calls; i++) {
        EgressRequest request = new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG);
        running.add(threads.submit(() -> wide.exchange(request, new OutboundCall())));
      }
      for (Future<EgressResult> one : running) {
        assertThat(one.get(20, TimeUnit.SECONDS)).isInstanceOf(Response.class);
      }
    }
  }

  @Test
  void nothing_secret_is_in_a_text_form() {
    assertThat(Secret.of("sk-1").toString()).isEqualTo("Secret");
    assertThat(new Header("Authorization", "sk-1").toString()).doesNotContain("sk-1");
    assertThat(Body.utf8("prompt").toString()).doesNotContain("prompt");
    assertThat(new Headers(Map.of("a", List.of("sk-1"))).toString()).doesNotContain("sk-1");
    EgressRequest request =
        new EgressRequest(URI.create("http://h/?key=sk-1"), List.of(), Body.utf8("prompt"), LONG);
    assertThat(request.toString()).doesNotContain("sk-1").doesNotContain("prompt");
  }
}
