package dev.coatcheck.worker.run;

import static dev.coatcheck.simulator.Match.prompt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.simulator.Completion;
import dev.coatcheck.simulator.ToolCall;
import dev.coatcheck.worker.run.Rig.Terms;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A call that is done between the look of a run and its claim. */
class MovedCallTest {
  private static final String TOOLS =
      """
      {"tools":[{"name":"refund","safety":"keyed","url":"${TOOL_URL}/refund"}]}
      """;

  /** As the run before it would record it late. */
  private static void record(Rig rig) {
    rig.engine
        .sql()
        .sql(
            """
            update tool_call set state = 'done', result = 'true', result_kind = 'json',
              epoch = 0, sends = 1, ended_at = now()
            """)
        .update();
  }

  @Test
  void a_run_whose_call_was_done_by_the_one_before_goes_on_and_does_not_leave_its_job() {
    var rigs = new AtomicReference<Rig>();
    Probe probe =
        new Probe() {
          @Override
          public void reach(Checkpoint point) {}

          @Override
          public <T> T write(Checkpoint point, Supplier<T> write) {
            if (point == Checkpoint.K8_CLAIMED) {
              record(rigs.get());
            }
            return write.get();
          }
        };
    try (Rig rig = Rig.withTools(TOOLS, probe)) {
      rigs.set(rig);
      rig.simulator.queue(
          prompt("moved"),
          Completion.calling(new ToolCall("refund", "{}")),
          Completion.saying("all done"));
      JobId job = rig.submitBody("{\"prompt\":\"moved\",\"tools\":[\"refund\"]}", Terms.usual());

      assertThat(rig.ended(job))
          .containsEntry("status", "completed")
          .containsEntry("deaths", 0)
          .containsEntry("dispatch_no", 1);
      assertThat(
              rig.simulator.ledger().count(entry -> entry.request().path().equals("/tools/refund")))
          .isZero();
    }
  }
}
