package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.app.problem.ProblemCode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ErrorsTest {
  private static final String AUTH = "Host: x\r\nAuthorization: Bearer ck_acme\r\n";

  private final RunningApp app = RunningApp.shared();
  private final Http acme = app.as("acme");
  private final RawHttp raw = new RawHttp(app.port());

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/v1",
        "/v1/jobs/",
        "/error",
        "/actuator",
        "/actuator/env",
        "/actuator/prometheus",
        "/actuator/heapdump",
        "/favicon.ico"
      })
  void there_is_nothing_at_other_paths(String path) {
    Problems.assertThat(acme.get(path)).is(404, "not_found");
  }

  @ParameterizedTest
  @CsvSource({
    "PUT, /v1/jobs, GET",
    "DELETE, /v1/jobs, POST",
    "GET, /v1/jobs/x/cancel, POST",
    "PATCH, /v1/jobs/x, GET",
    "POST, /openapi.yaml, GET",
    "TRACE, /v1/jobs, ''"
  })
  void other_methods_are_not_allowed(String method, String path, String allowed) {
    Http.Reply reply = raw.send(method + " " + path + " HTTP/1.1\r\n" + AUTH + "\r\n");

    Problems.assertThat(reply).is(405, "method_not_allowed");
    assertThat(reply.header("Allow")).contains(allowed);
  }

  @Test
  void an_answer_that_nobody_accepts_is_not_given() {
    Problems.assertThat(acme.get("/v1/jobs", Map.of("Accept", "text/html")))
        .is(406, "not_acceptable");
    String key = UUID.randomUUID().toString();
    Problems.assertThat(
            acme.post(
                "/v1/jobs",
                "{\"model\":\"m\",\"prompt\":\"p\"}",
                Map.of("Accept", "application/xml", "Idempotency-Key", key)))
        .is(406, "not_acceptable");
    assertThat(
            app.sql()
                .sql("select count(*) from job where idempotency_key = :key")
                .param("key", key)
                .query(Long.class)
                .single())
        .isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET\r\n\r\n",
        "GET /v1/jobs HTTP/9.9x\r\nHost: x\r\n\r\n",
        "GET /v1/jobs HTTP/1.1\r\n\r\n",
        "GET /v1/jobs HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n",
        "GET /v1/jobs HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET /v1/jobs?a=<b> HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /v1/jobs?a=b\u0001 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /v1/jobs/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /v1/jobs/%zz HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /v1/jobs/a%2fb HTTP/1.1\r\nHost: x\r\n\r\n",
        "GET /v1/../../x HTTP/1.1\r\nHost: x\r\n\r\n",
        "POST /v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n",
        "POST /v1/jobs HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "POST /v1/jobs HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n"
      })
  void what_tomcat_refuses_by_itself_is_a_problem_too(String request) {
    Problems.assertThat(raw.send(request)).is(400, "invalid_request");
  }

  @Test
  void headers_beyond_all_measure_are_a_problem_too() {
    Http.Reply reply =
        raw.send("GET /v1/jobs HTTP/1.1\r\nHost: x\r\nA: " + "a".repeat(20_000) + "\r\n\r\n");

    assertThat(reply.status()).isIn(400, 431);
    Problems.assertThat(reply).is(reply.status(), "invalid_request");
  }

  @Test
  void an_unknown_transfer_coding_is_a_problem_too() {
    Http.Reply reply =
        raw.send("POST /v1/jobs HTTP/1.1\r\n" + AUTH + "Transfer-Encoding: x\r\n\r\n");

    assertThat(reply.status()).isBetween(400, 599);
    assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(reply.header("X-Request-Id")).isNotBlank();
  }

  @ParameterizedTest
  @CsvSource({
    "abc, true",
    "A-b_c.9, true",
    "a b, false",
    "a/b, false",
    "'', false",
    "<script>, false"
  })
  void the_callers_request_id_is_repeated_if_it_is_harmless(String id, boolean repeated) {
    Http.Reply reply = acme.get("/v1/jobs/x", Map.of("X-Request-Id", id));

    Problems.assertThat(reply).is(404, "job_not_found");
    if (repeated) {
      assertThat(reply.header("X-Request-Id")).isEqualTo(id);
    } else {
      assertThat(reply.header("X-Request-Id")).isNotEqualTo(id).isNotBlank();
    }
    assertThat(acme.get("/v1/jobs", Map.of("X-Request-Id", "a".repeat(65))).header("X-Request-Id"))
        .hasSize(36);
    assertThat(acme.get("/v1/jobs", Map.of("X-Request-Id", "a".repeat(64))).header("X-Request-Id"))
        .hasSize(64);
  }

  @Test
  void a_body_that_is_too_large_is_told_so_even_by_a_caller_that_sends_it_all_first() {
    byte[] body = new byte[12 << 20];
    String head = post("Content-Length: " + body.length);
    byte[] request = new byte[head.length() + body.length];
    System.arraycopy(head.getBytes(StandardCharsets.ISO_8859_1), 0, request, 0, head.length());

    Problems.assertThat(raw.send(request)).is(413, "body_too_large");
  }

  @Test
  void a_chunked_body_is_counted_while_it_is_read() {
    byte[] chunk =
        ("10000\r\n" + "x".repeat(65_536) + "\r\n").getBytes(StandardCharsets.ISO_8859_1);

    Problems.assertThat(raw.sendEndlessly(post("Transfer-Encoding: chunked"), chunk, 100))
        .is(413, "body_too_large");
    Problems.assertThat(raw.sendEndlessly(post("Transfer-Encoding: chunked"), chunk, 2_000))
        .is(413, "body_too_large");
  }

  @Test
  void a_body_that_says_it_is_too_large_is_not_waited_for() {
    Problems.assertThat(raw.send(post("Content-Length: 99999999999\r\nExpect: 100-continue")))
        .is(413, "body_too_large");
  }

  @ParameterizedTest
  @EnumSource(ProblemCode.class)
  void each_code_has_a_page(ProblemCode code) {
    Http.Reply page = app.anonymous().get("/problems/" + code.slug());

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type")).startsWith("text/html");
    assertThat(page.header("Content-Security-Policy")).contains("default-src 'none'");
    assertThat(page.body()).contains(code.text(), code.title());
  }

  @Test
  void a_code_that_does_not_exist_has_no_page() {
    Problems.assertThat(app.anonymous().get("/problems/no-such-code")).is(404, "not_found");
  }

  private static String post(String headers) {
    return "POST /v1/jobs HTTP/1.1\r\n"
        + AUTH
        + "Content-Type: application/json\r\nIdempotency-Key: large\r\n"
        + headers
        + "\r\n\r\n";
  }
}
