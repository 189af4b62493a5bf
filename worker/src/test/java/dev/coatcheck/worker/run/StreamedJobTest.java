package dev.coatcheck.worker.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.worker.run.Rig.Terms;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A whole worker that streams from the simulator, in either dialect. */
class StreamedJobTest {
  private static Rig rig;

  @BeforeAll
  static void start() {
    rig =
        new Rig(
            Map.of(
                "coatcheck.egress.idle-timeout", "1s",
                "coatcheck.retry.initial", "10ms",
                "coatcheck.providers.anthropic.api-key", "sk-ant-test"));
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  @AfterEach
  void no_connection_was_held_over_a_call() {
    rig.probe.assertNoneHeldDuringCalls();
  }

  private static JobId submit(String provider, String prompt) {
    return rig.submitBody(
        "{\"prompt\":\"" + prompt + "\",\"stream\":true}", Terms.usual().provider(provider));
  }

  private static String message(JobId job) {
    return rig.engine
        .sql()
        .sql("select message from turn where job_id = :id")
        .param("id", job.value())
        .query((row, index) -> new String(row.getBytes(1), StandardCharsets.UTF_8))
        .single();
  }

  private static List<Object> codes(JobId job) {
    return rig.attempts(job).stream()
        .map(attempt -> attempt.get("error_code"))
        .map(code -> code == null ? "" : code)
        .toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"openai", "anthropic"})
  void a_streamed_answer_completes_the_job_with_its_usage(String provider) {
    JobId job = submit(provider, "hello " + provider + " [[sim: pings=yes text Hello world]]");

    assertThat(rig.ended(job))
        .containsEntry("status", "completed")
        .containsEntry("finish_reason", "stop");
    assertThat(message(job)).contains("Hello world");
    assertThat(rig.attempts(job))
        .singleElement()
        .satisfies(
            attempt -> {
              assertThat((Long) attempt.get("usage_output")).isPositive();
              assertThat((Long) attempt.get("usage_input")).isPositive();
            });
    assertThat(rig.simulator.ledger().asked("hello " + provider).getFirst().request().body().text())
        .contains("\"stream\":true");
  }

  @ParameterizedTest
  @ValueSource(strings = {"openai", "anthropic"})
  void a_broken_stream_is_asked_again_and_leaves_nothing(String provider) {
    JobId job =
        submit(
            provider,
            "broken [[sim: cut-after=2 text Half, reset-after=2 text Half, stall-after=2 text Half,"
                + " text All of it id=broken-"
                + provider
                + "]]");

    assertThat(rig.ended(job)).containsEntry("status", "completed");
    assertThat(codes(job))
        .containsExactly("stream_interrupted", "stream_interrupted", "provider_timeout", "");
    assertThat(rig.attempts(job))
        .extracting(attempt -> attempt.get("billed"))
        .containsExactly("unknown", "unknown", "unknown", "yes");
    assertThat(message(job)).contains("All of it").doesNotContain("Half");
  }

  @ParameterizedTest
  @ValueSource(strings = {"openai", "anthropic"})
  void an_error_amid_a_stream_and_a_stream_without_end_are_asked_again(String provider) {
    JobId job =
        submit(
            provider,
            "errors [[sim: error-after=2 text Half, end=no text Half, usage=no text All id=errors-"
                + provider
                + "]]");

    assertThat(rig.ended(job)).containsEntry("status", "completed");
    // OpenAI's own error amid a stream has a type, and no code that says overloaded.
    String code = provider.equals("openai") ? "provider_error" : "provider_overloaded";
    assertThat(codes(job)).containsExactly(code, "stream_interrupted", "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"openai", "anthropic"})
  void a_refusal_of_a_stream_is_a_refusal(String provider) {
    JobId job = submit(provider, "refused [[sim: 500, 400 id=refused-" + provider + "]]");

    assertThat(rig.ended(job))
        .containsEntry("status", "failed")
        .containsEntry("error_code", "invalid_request");
    assertThat(codes(job)).containsExactly("provider_error", "invalid_request");
  }

  @Test
  void what_anthropic_has_no_words_for_ends_the_job_before_anything_is_sent() {
    JobId job =
        rig.submitBody(
            "{\"prompt\":\"unsayable\",\"params\":{\"seed\":7}}",
            Terms.usual().provider("anthropic"));

    assertThat(rig.ended(job))
        .containsEntry("status", "failed")
        .containsEntry("error_code", "invalid_request")
        .hasEntrySatisfying(
            "error_message", words -> assertThat(String.valueOf(words)).startsWith("params.seed "));
    assertThat(rig.attempts(job))
        .singleElement()
        .satisfies(
            attempt ->
                assertThat(attempt)
                    .containsEntry("state", "unreachable")
                    .containsEntry("billed", "no"));
    assertThat(rig.simulator.ledger().asked("unsayable")).isEmpty();
  }

  @Test
  void a_whole_answer_of_anthropics_is_kept_as_it_was_sent() {
    JobId job = rig.submitBody("{\"prompt\":\"whole\"}", Terms.usual().provider("anthropic"));

    assertThat(rig.ended(job))
        .containsEntry("status", "completed")
        .containsEntry("finish_reason", "stop");
    assertThat(message(job))
        .startsWith("{\"id\":\"msg_sim")
        .contains("\"stop_reason\":\"end_turn\"");
  }
}
