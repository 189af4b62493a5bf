package dev.coatcheck.db.erase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.delivery.DispatchDeliveries;
import dev.coatcheck.db.delivery.EndedJobs;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.fixture.DatabasePerClass;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SweepJobsTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private static final List<String> TABLES =
      List.of(
          "job",
          "job_request",
          "turn",
          "attempt",
          "event",
          "webhook",
          "delivery",
          "delivery_attempt",
          "jobrunr_jobs");

  private final EndedJobs jobs = new EndedJobs(DATABASE.get());
  private final SweepJobs month = sweep(Duration.ofDays(30));
  private final SweepJobs none = sweep(Duration.ZERO);

  @BeforeEach
  void empty() {
    jobs.run("truncate " + String.join(", ", TABLES));
  }

  @AfterEach
  void close() {
    jobs.close();
  }

  @Test
  void content_is_erased_after_the_retention_and_not_before() {
    JobId young = jobs.completed("29 days 23 hours", null);
    JobId old = jobs.completed("30 days 1 hour", null);
    assertThat(month.erase()).isOne();
    assertThat(month.erase()).isZero();

    assertThat(jobs.count("job where erased_at is not null and id = '" + old + "'")).isOne();
    assertThat(jobs.count("job_request where job_id = '" + old + "'")).isZero();
    assertThat(jobs.count("turn where message is null and job_id = '" + old + "'")).isOne();
    assertThat(jobs.count("attempt where usage_output = 7 and usage_json is null")).isOne();
    assertThat(jobs.count("event where data = '{}'")).isOne();
    assertThat(jobs.count("turn where message is not null and job_id = '" + young + "'")).isOne();
  }

  @Test
  void then_the_job_is_removed_with_all_that_belongs_to_it() {
    jobs.completed("31 days", "example.com:443");
    JobId kept = jobs.completed("1 day", "example.com:443");
    jobs.run("update job set dispatch_no = 2");
    new DispatchDeliveries(jobs.database, jobs.dispatches).dispatch();
    jobs.run(
        """
        insert into delivery_attempt (delivery_id, number, tenant_id)
        select id, 1, tenant_id from delivery
        """);
    jobs.run("update delivery set state = 'delivered', dispatch_id = null, settled_at = now()");
    assertThat(month.remove()).as("its content first").isZero();
    assertThat(month.erase()).isOne();
    assertThat(month.remove()).isOne();

    for (String table : TABLES) {
      assertThat(jobs.count(table)).as(table).isOne();
    }
    assertThat(jobs.count("job where id = '" + kept + "'")).isOne();
  }

  @Test
  void a_short_retention_keeps_the_idempotency_key_for_a_day() {
    SweepJobs minute = sweep(Duration.ofMinutes(1));
    jobs.completed("23 hours", null);
    jobs.completed("25 hours", null);
    assertThat(minute.erase()).isEqualTo(2);
    assertThat(minute.remove()).isOne();
    assertThat(jobs.count("job where idempotency_key like 'key-%'")).isOne();
  }

  @Test
  void without_retention_content_stays_an_hour_if_no_webhook_carries_it_off() {
    jobs.completed("59 minutes", null);
    assertThat(none.erase()).isZero();
    jobs.completed("61 minutes", null);
    assertThat(none.erase()).isOne();
  }

  @Test
  void without_retention_content_stays_until_its_webhook_was_delivered() {
    jobs.completed("2 hours", "example.com:443");
    assertThat(none.erase()).as("pending").isZero();
    jobs.run("update delivery set state = 'delivered', settled_at = now()");
    assertThat(none.erase()).as("the receiver may be fetching it").isZero();
    jobs.run("update delivery set settled_at = now() - interval '11 s'");
    assertThat(none.erase()).isOne();
  }

  @Test
  void without_retention_content_of_a_dead_webhook_stays_an_hour() {
    jobs.completed("59 minutes", "example.com:443");
    jobs.run("update delivery set state = 'dead', settled_at = now() - interval '1 minute'");
    assertThat(none.erase()).isZero();
    jobs.run("update job set ended_at = now() - interval '61 minutes'");
    assertThat(none.erase()).isOne();
  }

  @Test
  void a_job_whose_webhook_is_on_its_way_is_not_removed() {
    jobs.completed("31 days", "example.com:443");
    assertThat(month.erase()).isOne();
    assertThat(month.remove()).isZero();
    jobs.run("update delivery set state = 'dead'");
    assertThat(month.remove()).isOne();
  }

  @Test
  void an_open_job_is_never_touched() {
    jobs.completed("31 days", null);
    jobs.run(
        "update job set status = 'queued', ended_at = null, created_at = now() - interval '99 days'");
    assertThat(month.erase()).isZero();
    assertThat(none.erase()).isZero();
    assertThat(month.remove()).isZero();
  }

  @Test
  void batches_are_small_and_found_by_an_index() {
    for (int i = 0; i < SweepJobs.BATCH + 1; i++) {
      jobs.completed("31 days", null);
    }
    assertThat(month.erase()).isEqualTo(SweepJobs.BATCH);
    assertThat(month.erase()).isOne();
    assertThat(month.remove()).isEqualTo(SweepJobs.BATCH);
    assertThat(month.remove()).isOne();
  }

  private SweepJobs sweep(Duration retention) {
    return new SweepJobs(jobs.database, new RetentionSettings(retention));
  }
}
