package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What a caller breaks while he sends or reads is no fault of ours, and none in the log. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@ExtendWith(OutputCaptureExtension.class)
class BrokenOffTest {
  private static final String LOGGER = "dev.coatcheck.app.problem";
  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";

  private final RunningApp app =
      RunningApp.start("server.tomcat.connection-timeout=1s", "logging.level." + LOGGER + "=debug");
  private final RawHttp raw = new RawHttp(app.port());

  /** The level is the JVM's. */
  @AfterAll
  void stop() {
    app.close();
    LoggingSystem.get(getClass().getClassLoader()).setLogLevel(LOGGER, null);
  }

  @Test
  void a_malformed_chunk_is_the_callers_fault(CapturedOutput output) {
    Problems.assertThat(raw.send(submit(CHUNKED + "zz\r\n"))).is(400, "invalid_request");
    Problems.assertThat(raw.send(submit(CHUNKED + "2\r\n{}{}\r\n0\r\n\r\n")))
        .is(400, "invalid_request");
    brokeOff(output);
  }

  @Test
  void a_body_that_stalls_is_not_waited_for(CapturedOutput output) {
    Problems.assertThat(raw.send(submit("Content-Length: 100\r\n\r\n{\"model\":")))
        .is(408, "invalid_request");
    Problems.assertThat(raw.send(submit(CHUNKED + "64\r\n{\"model\":"))).is(408, "invalid_request");
    brokeOff(output);
  }

  @Test
  void a_caller_who_is_gone_amid_his_body_is_no_error(CapturedOutput output) {
    raw.sendAndHangUp(submit("Content-Length: 100\r\n\r\n{\"model\":"), 0);
    brokeOff(output);
  }

  @Test
  void a_caller_who_is_gone_amid_the_answer_is_no_error(CapturedOutput output) {
    String id = app.as("acme").submit("{\"model\":\"m\",\"prompt\":\"p\"}").text("/id");
    new Jobs(app.sql()).complete(id, "{\"content\":\"" + "x".repeat(16 << 20) + "\"}");

    raw.sendAndHangUp(
        "GET /v1/jobs/" + id + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ck_acme\r\n\r\n", 1);
    brokeOff(output);
  }

  private static void brokeOff(CapturedOutput output) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(10))
        .until(() -> output.getAll().contains("the caller broke off"));
    assertThat(output.getAll()).doesNotContain("ERROR", "Exception");
  }

  private static String submit(String rest) {
    return "POST /v1/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ck_acme\r\n"
        + "Content-Type: application/json\r\nIdempotency-Key: broken\r\n"
        + rest;
  }
}
