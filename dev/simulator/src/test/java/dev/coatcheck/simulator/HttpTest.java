package dev.coatcheck.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HttpTest {
  private static final String CHUNKED =
      "POST /v1/chat/completions HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n";

  private final Simulator simulator = Simulator.start();

  @AfterEach
  void stop() {
    simulator.close();
  }

  @Test
  void a_connection_carries_many_requests() throws IOException {
    try (var caller = new Caller(simulator)) {
      for (int i = 0; i < 100; i++) {
        assertThat(caller.ask("number " + i).text()).contains("number " + i);
      }
    }
    assertThat(simulator.ledger().entries())
        .hasSize(100)
        .allMatch(entry -> entry.request().connection() == 1);
  }

  @Test
  void requests_sent_ahead_are_answered_in_turn() throws IOException {
    try (var caller = new Caller(simulator)) {
      caller.send(Caller.chat("first") + Caller.chat("second"));
      assertThat(caller.answer().text()).contains("first");
      assertThat(caller.answer().text()).contains("second");
    }
  }

  @Test
  void a_chunked_body_is_read() throws IOException {
    var json = "{\"messages\":[{\"role\":\"user\",\"content\":\"in chunks\"}]}";
    try (var caller = new Caller(simulator)) {
      caller.send(CHUNKED + "5;extension=1\r\n" + json.substring(0, 5) + "\r\n");
      caller.send(Integer.toHexString(json.length() - 5) + "\r\n" + json.substring(5));
      caller.send("\r\n0\r\ntrailer: ignored\r\n\r\n");
      assertThat(caller.answer().text()).contains("in chunks");
      assertThat(caller.ask("and on").status()).isEqualTo(200);
    }
  }

  @Test
  void a_body_larger_than_every_buffer_arrives_whole() throws IOException {
    var prompt = "ä".repeat(1_000_000);
    try (var caller = new Caller(simulator)) {
      assertThat(caller.ask(prompt).status()).isEqualTo(200);
    }
    assertThat(simulator.ledger().entries().getFirst().prompt()).isEqualTo(prompt);
  }

  @Test
  void a_caller_that_waits_for_leave_gets_it() throws IOException {
    try (var caller = new Caller(simulator)) {
      caller.send(
          "POST /v1/chat/completions HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n");
      assertThat(caller.head()).startsWith("HTTP/1.1 100 ");
      assertThat(caller.send("{}").answer().status()).isEqualTo(200);
    }
  }

  @Test
  void a_caller_that_wants_the_connection_closed_has_it_closed() throws IOException {
    try (var caller = new Caller(simulator)) {
      caller.send("GET /v1/models HTTP/1.1\r\nconnection: close\r\n\r\n");
      assertThat(caller.answer().header("connection")).isEqualTo("close");
      assertThat(caller.read()).isEqualTo(-1);
    }
  }

  @Test
  void http_1_0_is_answered_and_closed() throws IOException {
    try (var caller = new Caller(simulator)) {
      assertThat(caller.send("GET /v1/models HTTP/1.0\r\n\r\n").answer().status()).isEqualTo(200);
      assertThat(caller.read()).isEqualTo(-1);
    }
  }

  @Test
  void a_path_under_any_prefix_is_a_chat() throws IOException {
    try (var caller = new Caller(simulator)) {
      caller.send(Caller.chat("hello").replace("/v1/", "/a/b/openai/deployments/x/"));
      assertThat(caller.answer().text()).contains("hello");
    }
  }

  @Test
  void an_unknown_path_is_told_so() throws IOException {
    try (var caller = new Caller(simulator)) {
      var answered = caller.send("GET /v1/secrets HTTP/1.1\r\n\r\n").answer();
      assertThat(answered.status()).isEqualTo(404);
      assertThat(answered.text()).contains("GET /v1/secrets");
    }
  }

  @Test
  void a_body_that_is_no_json_is_refused_like_at_the_provider() throws IOException {
    try (var caller = new Caller(simulator)) {
      var answered = caller.send(Caller.chatBody("{\"model\":")).answer();
      assertThat(answered.status()).isEqualTo(400);
      assertThat(answered.text()).contains("invalid_request_error");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/2.0\r\n\r\n",
        "GET  / HTTP/1.1\r\n\r\n",
        "get / HTTP/1.1\r\n\r\n",
        "GET http://other/ HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\nhost: x\r\n\r\n",
        "GET / HTTP/1.1\r\nno colon\r\n\r\n",
        "GET / HTTP/1.1\r\nspace : x\r\n\r\n",
        "GET / HTTP/1.1\r\na: x\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\na: x\ny: z\r\n\r\n",
        "POST / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 1\r\n\r\nx",
        "POST / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\nx",
        "POST / HTTP/1.1\r\ncontent-length: +1\r\n\r\nx",
        "POST / HTTP/1.1\r\ncontent-length: 1, 1\r\n\r\nx",
        "POST / HTTP/1.1\r\ncontent-length: -1\r\n\r\n",
        "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n"
      })
  void what_could_be_read_in_two_ways_is_refused(String request) throws IOException {
    try (var caller = new Caller(simulator)) {
      assertThat(caller.send(request).answer().status()).isEqualTo(400);
      assertThat(caller.read()).isEqualTo(-1);
    }
    assertThat(simulator.ledger().counts().refused()).isEqualTo(1);
    assertThat(simulator.ledger().received()).isZero();
  }

  @Test
  void other_encodings_and_sizes_beyond_the_limits_are_named() throws IOException {
    assertThat(refusal("transfer-encoding: gzip, chunked")).isEqualTo(501);
    assertThat(refusal("content-length: 4000000000")).isEqualTo(413);
    assertThat(refusal("a: " + "x".repeat(RequestReader.MAX_HEAD_BYTES + 10))).isEqualTo(431);
    assertThat(refusal("a: b\r\n".repeat(300) + "a: b")).isEqualTo(431);
  }

  @Test
  void a_request_that_never_ends_is_no_request() throws IOException {
    try (var caller = new Caller(simulator)) {
      caller.send("POST /v1/chat/completions HTTP/1.1\r\ncontent-length: 100\r\n\r\n{");
      caller.socket().shutdownOutput();
      assertThat(caller.read()).isEqualTo(-1);
    }
    assertThat(simulator.ledger().received()).isZero();
  }

  private int refusal(String header) throws IOException {
    try (var caller = new Caller(simulator)) {
      return caller.send("POST / HTTP/1.1\r\n" + header + "\r\n\r\n").answer().status();
    }
  }
}
