package dev.coatcheck.worker.run;

import static dev.coatcheck.simulator.Match.prompt;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.simulator.OpenAiErrors;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** A session is lost while a run reads what earlier runs did. */
class LostSessionTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  @Test
  void a_session_that_ended_while_earlier_attempts_were_read_broke_the_run_off() {
    var locked = new AtomicReference<Holder>();
    var place = new AtomicReference<Rig.Place>();
    var acquired = new AtomicInteger();
    Probe locker =
        point -> {
          if (point == Checkpoint.K1_ACQUIRED && acquired.incrementAndGet() == 2) {
            var holder = new Holder(place.get());
            holder.lockTable("attempt");
            locked.set(holder);
          }
        };
    try (Rig rig = Rig.probed(Map.of(), locker)) {
      place.set(rig.place);
      rig.simulator.queue(prompt("resumed"), OpenAiErrors.rateLimited().with("retry-after", "3"));
      JobId job = rig.submit("resumed");
      await().atMost(SOON).until(() -> locked.get() != null);
      await().atMost(SOON).until(() -> endsTheSessionThatReads(rig));
      locked.get().letGo();
      assertThat(rig.ended(job))
          .containsEntry("status", "completed")
          .containsEntry("epoch", 2L)
          .containsEntry("deaths", 0);
      assertThat(rig.attempts(job))
          .extracting(attempt -> attempt.get("state"))
          .containsExactly("refused", "answered");
    }
  }

  private static boolean endsTheSessionThatReads(Rig rig) {
    return !rig.engine
        .sql()
        .sql(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
              and query like 'select error_code, provider_code from attempt%'
            """)
        .query(Boolean.class)
        .list()
        .isEmpty();
  }
}
