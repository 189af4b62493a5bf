package dev.coatcheck.db.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.dispatch.DeliveryDispatch;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.webhook.DeliveryId;
import dev.coatcheck.fixture.DatabasePerClass;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class DeliveryStoreTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private final EndedJobs jobs = new EndedJobs(DATABASE.get());
  private final DispatchDeliveries pump = new DispatchDeliveries(jobs.database, jobs.dispatches);
  private final ReviveDeliveries revive = new ReviveDeliveries(jobs.database);
  private final ClaimDelivery claim = new ClaimDelivery(jobs.database, Duration.ofSeconds(45));
  private final SettleDelivery settle = new SettleDelivery(jobs.database);

  @BeforeEach
  void empty() {
    jobs.run("truncate job, webhook, delivery, delivery_attempt, jobrunr_jobs");
  }

  @AfterEach
  void close() {
    jobs.close();
  }

  @Test
  void a_dispatch_claims_its_delivery_once() {
    JobId job = dispatched();
    assertThat(claim.claim(id(job), 1))
        .hasValueSatisfying(
            delivery -> {
              assertThat(delivery.number()).isEqualTo(1);
              assertThat(delivery.event().type()).isEqualTo("job.completed");
              assertThat(delivery.event().job()).isEqualTo(job);
              assertThat(delivery.event().output()).isPresent();
            });
    assertThat(claim.claim(id(job), 1)).as("somebody is at it").isEmpty();
    assertThat(claim.claim(id(job), 2)).as("no such dispatch").isEmpty();
    assertThat(jobs.count("delivery_attempt")).as("written down before the socket").isOne();
  }

  @Test
  void an_older_dispatch_claims_nothing() {
    JobId job = dispatched();
    ClaimedDelivery first = claim.claim(id(job), 1).orElseThrow();
    settle.settle(first, new TryOutcome.Failed(500, "no", Duration.ZERO));
    assertThat(claim.claim(id(job), 1)).as("it waits").isEmpty();
    assertThat(pump.dispatch()).isOne();
    assertThat(claim.claim(id(job), 1)).as("void").isEmpty();
    assertThat(claim.claim(id(job), 2)).isPresent();
  }

  @Test
  void an_outcome_is_written_once_and_only_by_the_newest_try() {
    JobId job = dispatched();
    ClaimedDelivery lost = claim.claim(id(job), 1).orElseThrow();
    jobs.run("update delivery set claimed_until = now() - interval '1 s'");
    assertThat(revive.revive()).isOne();
    assertThat(pump.dispatch()).isOne();
    ClaimedDelivery second = claim.claim(id(job), 2).orElseThrow();
    assertThat(second.event().id()).isEqualTo(lost.event().id());
    assertThat(second.failures()).as("a lost try is no failure of the endpoint").isZero();

    assertThat(settle.settle(lost, new TryOutcome.Failed(500, "no", Duration.ZERO))).isFalse();
    assertThat(jobs.delivery(job)).containsEntry("state", "pending").containsEntry("tries", 2);
    assertThat(settle.settle(second, new TryOutcome.Delivered(200))).isTrue();
    assertThat(settle.settle(second, new TryOutcome.Delivered(200))).isFalse();
    assertThat(jobs.delivery(job))
        .containsEntry("state", "delivered")
        .containsEntry("next_at", null)
        .containsEntry("dispatch_id", null);
    assertThat(jobs.count("delivery_attempt where http_status = 500"))
        .as("what it saw is kept")
        .isOne();
  }

  @Test
  void of_one_endpoint_so_many_are_under_way_and_others_do_not_wait() {
    IntStream.range(0, 60).forEach(i -> jobs.completed("0 s", "dead.example:443"));
    JobId other = jobs.completed("0 s", "well.example:443");
    dispatchAll();

    assertThat(
            jobs.count("delivery where endpoint = 'dead.example:443' and dispatch_id is not null"))
        .isEqualTo(DispatchDeliveries.PER_ENDPOINT);
    assertThat(jobs.delivery(other).get("dispatch_id")).isNotNull();

    DeliveryId one =
        new DeliveryId(
            jobs.database
                .sql()
                .sql(
                    """
                    select id from delivery
                    where endpoint = 'dead.example:443' and dispatch_id is not null limit 1
                    """)
                .query(UUID.class)
                .single());
    settle.settle(
        claim.claim(one, 1).orElseThrow(), new TryOutcome.Failed(null, "x", Duration.ofHours(1)));
    assertThat(pump.dispatch()).as("room for one").isOne();
  }

  @Test
  void what_is_not_due_waits() {
    JobId job = dispatched();
    ClaimedDelivery first = claim.claim(id(job), 1).orElseThrow();
    settle.settle(first, new TryOutcome.Failed(500, "no", Duration.ofMinutes(5)));
    assertThat(pump.dispatch()).isZero();
    assertThat(pump.isAnyExpected()).isTrue();
    jobs.run("update delivery set next_at = now()");
    assertThat(pump.dispatch()).isOne();
  }

  @Test
  void nothing_is_expected_where_no_open_job_has_a_webhook() {
    assertThat(pump.isAnyExpected()).isFalse();
    jobs.completed("0 s", null);
    jobs.run("update job set status = 'queued', ended_at = null");
    assertThat(pump.isAnyExpected()).isFalse();
    jobs.run("update job set has_webhook = true");
    assertThat(pump.isAnyExpected()).isTrue();
  }

  @Test
  void a_delivery_without_a_live_dispatch_is_revived() {
    for (String fate :
        new String[] {
          "delete from jobrunr_jobs",
          "update jobrunr_jobs set state = 'DELETED'",
          "update jobrunr_jobs set state = 'SUCCEEDED'",
          "update jobrunr_jobs set state = 'FAILED'",
          "update jobrunr_jobs set state = 'PROCESSING', updatedAt = now() at time zone 'UTC' - interval '11 s'"
        }) {
      empty();
      dispatched();
      assertThat(revive.revive()).as("its dispatch is live").isZero();
      jobs.run(fate);
      assertThat(revive.revive()).as(fate).isOne();
      assertThat(pump.dispatch()).isOne();
    }
  }

  @Test
  void a_try_that_is_under_way_is_left_alone_whatever_its_dispatch_shows() {
    JobId job = dispatched();
    claim.claim(id(job), 1);
    jobs.run("update jobrunr_jobs set state = 'FAILED'");
    assertThat(revive.revive()).isZero();
  }

  @Test
  void a_released_one_is_sent_at_once_and_nothing_is_counted() {
    JobId job = dispatched();
    settle.settle(claim.claim(id(job), 1).orElseThrow(), new TryOutcome.Released("stopped"));
    assertThat(jobs.delivery(job)).containsEntry("failures", 0).containsEntry("state", "pending");
    assertThat(pump.dispatch()).isOne();
  }

  @Test
  void the_claim_of_deliveries_has_an_index_of_its_own() {
    dispatched();
    assertThat(
            jobs.count(
                """
                jobrunr_jobs where jobSignature =
                'dev.coatcheck.db.dispatch.DeliveryHandler.run(dev.coatcheck.db.dispatch.RunDelivery)'
                """))
        .isOne();
    assertThat(
            jobs.database
                .sql()
                .sql(
                    "select indexdef from pg_indexes where indexname = 'jobrunr_jobs_deliveries_idx'")
                .query(String.class)
                .single())
        .contains("DeliveryHandler.run(dev.coatcheck.db.dispatch.RunDelivery)");
  }

  @Test
  void a_deliverys_nth_dispatch_is_always_the_same() {
    var id = new DeliveryId(new UUID(1, 2));
    assertThat(DeliveryDispatch.idOf(id, 1)).isEqualTo(DeliveryDispatch.idOf(id, 1));
    assertThat(DeliveryDispatch.idOf(id, 1)).isNotEqualTo(DeliveryDispatch.idOf(id, 2));
    assertThat(DeliveryDispatch.idOf(id, 1)).isNotEqualTo(id.value());
  }

  private JobId dispatched() {
    JobId job = jobs.completed("0 s", "example.com:443");
    assertThat(pump.dispatch()).isOne();
    return job;
  }

  private void dispatchAll() {
    int made = pump.dispatch();
    while (made > 0) {
      made = pump.dispatch();
    }
  }

  private DeliveryId id(JobId job) {
    return new DeliveryId((UUID) Objects.requireNonNull(jobs.delivery(job).get("id")));
  }
}
