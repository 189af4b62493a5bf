package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A lower level of logging says more, not what is none of its business. */
@ExtendWith(OutputCaptureExtension.class)
class LogsTest {
  private static final String PROMPT = "canary-of-a-prompt";
  private static final String METADATA = "canary-of-metadata";

  /** The JVM's, so that the tests after this one are quiet again. */
  @AfterEach
  void raise() {
    LoggingSystem.get(getClass().getClassLoader())
        .setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, LogLevel.INFO);
  }

  @Test
  void no_key_no_prompt_and_no_metadata_is_logged_even_at_trace(CapturedOutput output) {
    try (var app = RunningApp.start("logging.level.root=trace")) {
      String key = app.makeKey("acme");
      Http caller = new Http(app.port(), key);
      String id =
          caller
              .submit(
                  "{\"model\":\"m\",\"prompt\":\"%s\",\"metadata\":{\"a\":\"%s\"}}"
                      .formatted(PROMPT, METADATA))
              .text("/id");
      caller.get("/v1/jobs/" + id);
      caller.get("/v1/jobs?metadata[a]=" + METADATA);
      caller.post("/v1/jobs/" + id + "/cancel");
      caller.submit("{\"" + PROMPT + "\":");
      caller.submit("{\"" + PROMPT + "\":\"" + PROMPT + "\"}");
      new RawHttp(app.port()).send("GET /" + PROMPT + "<> HTTP/1.1\r\nX: " + key + "\r\n\r\n");

      assertThat(output).contains("TRACE").contains(id);
      assertThat(output.getAll().lines().filter(line -> line.contains(key))).isEmpty();
      assertThat(output.getAll().lines().filter(line -> line.contains(PROMPT))).isEmpty();
      assertThat(output.getAll().lines().filter(line -> line.contains(METADATA))).isEmpty();
    }
  }

  @Test
  void what_a_caller_sends_forges_no_line(CapturedOutput output) {
    try (var app = RunningApp.start("logging.level.root=debug")) {
      app.as("acme")
          .post(
              "/v1/jobs",
              "{\"model\":\"m\",\"prompt\":\"p\",\"a\\nFORGED\":1}",
              Map.of("Idempotency-Key", "x"));
      app.as("acme").get("/v1/jobs/x%0aFORGED%1b%5B31m");
      app.as("acme").get("/v1/jobs?a=%0aFORGED");

      assertThat(output.getAll().lines().filter(line -> line.startsWith("FORGED"))).isEmpty();
      assertThat(output.getAll()).doesNotContain("\u001b[31m");
    }
  }

  @Test
  void a_hostile_text_stays_one_line_of_bounded_length_without_terminal_escapes(
      CapturedOutput output) {
    try (var _ = RunningApp.start()) {
      var log = LoggerFactory.getLogger(getClass());
      var words = "begin\nFORGED\r\u001b[31m\u0000\u202eevil\u2028end";

      log.atWarn().addKeyValue("field", words).log(words);
      log.warn("trace", new IllegalStateException("cause\u001b[31m\u202e"));
      log.warn("long {}", "x".repeat(100_000));

      assertThat(output.getAll()).contains("begin").contains("evil").contains("cause");
      assertThat(output.getAll()).doesNotContain("\u001b", "\u202e", "\u2028", "\u0000");
      assertThat(output.getAll().lines().filter(line -> line.startsWith("FORGED"))).isEmpty();
      assertThat(output.getAll().lines().mapToInt(String::length))
          .allMatch(length -> length < 9000);
    }
  }
}
