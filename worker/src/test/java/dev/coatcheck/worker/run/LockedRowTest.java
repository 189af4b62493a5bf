package dev.coatcheck.worker.run;

import static dev.coatcheck.simulator.Match.any;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.simulator.Completion;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Somebody else holds the row of a job whose answer is to be written. */
class LockedRowTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @Test
  void an_answer_was_dropped_and_paid_for_again_when_its_row_was_locked_past_the_lock_timeout() {
    try (Rig rig = Rig.usual();
        Holder holder = new Holder(rig.place)) {
      shortenLockTimeout(rig);
      rig.simulator.script(
          any(),
          (request, nth) -> {
            holder.lockJobs();
            return Completion.aboutThePrompt();
          });
      JobId job = rig.submit("locked");
      awaitSecondWait(rig);
      holder.letGo();
      assertThat(rig.ended(job))
          .containsEntry("status", "completed")
          .containsEntry("epoch", 1L)
          .containsEntry("deaths", 0);
      assertThat(rig.simulator.ledger().received()).isEqualTo(1);
      assertThat(rig.attempts(job)).hasSize(1);
    }
  }

  /** The pool sets its own, so it is cut short inside each transaction. */
  private static void shortenLockTimeout(Rig rig) {
    for (String statement :
        List.of(
            """
            create function shorten_lock_timeout() returns trigger language plpgsql as $$
            begin
              perform set_config('lock_timeout', '200', true);
              return null;
            end $$
            """,
            """
            create trigger shorten_lock_timeout before update on job
            for each statement execute function shorten_lock_timeout()
            """)) {
      rig.engine.sql().sql(statement).update();
    }
  }

  /** The first has timed out then. */
  private static void awaitSecondWait(Rig rig) {
    Set<String> waits = new HashSet<>();
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              waits.addAll(waits(rig));
              return waits.size() > 1;
            });
  }

  private static List<String> waits(Rig rig) {
    return rig.engine
        .sql()
        .sql(
            """
            select pid || ' ' || xact_start from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
            """)
        .query((row, number) -> row.getString(1))
        .list();
  }
}
