package dev.coatcheck.worker.run;

import static dev.coatcheck.simulator.Match.path;
import static dev.coatcheck.simulator.Match.prompt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.simulator.Completion;
import dev.coatcheck.simulator.Reply;
import dev.coatcheck.simulator.ToolCall;
import dev.coatcheck.worker.run.Rig.Terms;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A run that is stopped while one of its calls pauses between two sendings. */
class StoppedToolsTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String TOOLS =
      """
      {"tools":[
        {"name":"refund","safety":"keyed","url":"${TOOL_URL}/refund"},
        {"name":"nowhere","safety":"at-most-once","url":"http://127.0.0.1:1/"}
      ]}
      """;

  /** A pause in place is long enough to be stopped in. */
  private static final Map<String, Object> PAUSES =
      Map.of("coatcheck.retry.floor", "3s", "coatcheck.retry.hold", "10s");

  private static Rig pausing() {
    Rig rig = Rig.withTools(Rig.Place.fresh(), TOOLS, PAUSES, Probe.inert());
    rig.simulator.always(path("/tools/refund"), Reply.json(503, "{}"));
    return rig;
  }

  private static JobId calling(Rig rig, String tool) {
    rig.simulator.queue(
        prompt("please " + tool),
        Completion.calling(new ToolCall(tool, "{}")),
        Completion.saying("all done"));
    return rig.submitBody(
        "{\"prompt\":\"please %s\",\"tools\":[\"%s\"]}".formatted(tool, tool), Terms.usual());
  }

  private static void awaitSends(Rig rig, String tool, String outcome) {
    MeterRegistry meters = rig.context.getBean(MeterRegistry.class);
    await()
        .atMost(SOON)
        .until(
            () ->
                meters.counter("coatcheck.tool.sends", "tool", tool, "outcome", outcome).count()
                    == 1);
  }

  private static Map<String, @Nullable Object> onlyCall(Rig.Look look, JobId job) {
    assertThat(look.calls(job)).hasSize(1);
    return look.calls(job).getFirst();
  }

  @Test
  void what_was_never_sent_or_was_refused_is_not_taken_for_a_lost_reply_after_a_stop() {
    try (Rig rig = pausing()) {
      JobId unsent = calling(rig, "nowhere");
      JobId refused = calling(rig, "refund");
      awaitSends(rig, "nowhere", "not_sent");
      awaitSends(rig, "refund", "refused");
      rig.context.close();

      assertThat(onlyCall(rig.look(), unsent))
          .containsEntry("state", "pending")
          .containsEntry("sends", 1)
          .containsEntry("reply_lost", false);
      assertThat(onlyCall(rig.look(), refused))
          .containsEntry("state", "pending")
          .containsEntry("sends", 1)
          .containsEntry("reply_lost", false)
          .containsEntry("reason_code", "backoff");
      try (Rig next = Rig.withTools(rig.place.kept(), TOOLS, Map.of(), Probe.inert())) {
        assertThat(next.ended(unsent)).containsEntry("status", "completed");
        assertThat(onlyCall(next.look(), unsent))
            .containsEntry("state", "failed")
            .containsEntry("sends", 4);
        assertThat(next.ended(refused)).containsEntry("status", "completed");
      }
    }
  }

  @Test
  void a_call_that_is_not_under_way_does_not_say_running_when_its_job_is_cancelled() {
    try (Rig rig = pausing()) {
      JobId job = calling(rig, "nowhere");
      awaitSends(rig, "nowhere", "not_sent");
      rig.cancel(job);
      await()
          .atMost(SOON)
          .until(() -> Objects.equals(onlyCall(rig.look(), job).get("state"), "not_run"));
    }
  }
}
