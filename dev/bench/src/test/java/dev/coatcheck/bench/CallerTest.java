package dev.coatcheck.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CallerTest {
  private final HttpServer server;

  CallerTest() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  }

  /** Gives the request's body back: a long one in chunks. */
  @BeforeEach
  void start() {
    server.createContext(
        "/",
        exchange -> {
          var body = exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().add("Location", exchange.getRequestURI().getPath());
          exchange.sendResponseHeaders(202, body.length > 10 ? 0 : body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private Caller caller() throws IOException {
    return new Caller(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
  }

  @Test
  void one_connection_carries_answers_of_both_framings() throws IOException {
    try (var caller = caller()) {
      for (var body : List.of("short", "a longer body, in chunks", "short")) {
        var answer = caller.post("/v1/" + body.length(), "X: y\r\n", body).expect(202);
        assertThat(answer.text()).isEqualTo(body);
        assertThat(answer.location()).isEqualTo("/v1/" + body.length());
      }
    }
  }

  @Test
  void a_connection_that_the_server_closes_is_followed_by_another() throws IOException {
    server.createContext(
        "/last",
        exchange -> {
          exchange.getResponseHeaders().add("Connection", "close");
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    try (var caller = caller()) {
      caller.get("/last", "").expect(204);
      caller.get("/last", "").expect(204);
    }
  }

  @Test
  void another_status_than_expected_ends_the_run() throws IOException {
    try (var caller = caller()) {
      var answer = caller.post("/", "", "nope");
      assertThatThrownBy(() -> answer.expect(200))
          .isInstanceOf(BenchFailed.class)
          .hasMessage("answered 202 instead of 200: nope");
    }
  }
}
