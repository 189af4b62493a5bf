package dev.coatcheck.worker.run;

import static dev.coatcheck.simulator.Match.prompt;
import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.simulator.Completion;
import dev.coatcheck.simulator.ToolCall;
import dev.coatcheck.worker.run.Rig.Terms;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tools that are SQL hold a connection each; of a pool of two they get one. */
class SqlToolsTest {
  private static final String TOOLS =
      """
      {"tools":[{"name":"doze","safety":"transactional","sql":"select pg_sleep(0.3)"}]}
      """;

  @Test
  void calls_that_find_no_connection_for_them_wait_without_one_and_all_are_done() {
    try (Rig rig =
        Rig.withTools(
            Rig.Place.fresh(),
            TOOLS,
            Map.of("spring.datasource.hikari.maximum-pool-size", "2"),
            Probe.inert())) {
      var doze = new ToolCall("doze", "{}");
      rig.simulator.queue(
          prompt("doze"), Completion.calling(doze, doze, doze), Completion.saying("all done"));
      JobId job = rig.submitBody("{\"prompt\":\"doze\",\"tools\":[\"doze\"]}", Terms.usual());

      assertThat(rig.ended(job)).containsEntry("status", "completed");
      assertThat(rig.calls(job)).extracting(call -> call.get("state")).containsOnly("done");
      assertThat(
              rig.engine
                  .sql()
                  .sql(
                      """
                      select count(*) from tool_call one join tool_call other
                        on one.job_id = other.job_id and one.ordinal < other.ordinal
                      where one.started_at < other.ended_at and other.started_at < one.ended_at
                      """)
                  .query(Long.class)
                  .single())
          .isZero();
    }
  }
}
