package dev.coatcheck.worker.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.job.Epoch;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.lease.RenewLeases.Renewal;
import dev.coatcheck.db.tenant.TenantId;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LeaseKeeperTest {
  /** So long that nothing is renewed by itself. */
  private static final Duration LEASE = Duration.ofDays(1);

  private static final JobId JOB = job(1);

  private final SetTicks ticks = new SetTicks();
  private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
  private final Jobs jobs = new Jobs();
  private final LeaseKeeper keeper =
      new LeaseKeeper(jobs, LEASE, new LeaseKeeper.Rhythm(timer, ticks));

  @AfterEach
  void close() {
    keeper.close();
  }

  private static JobId job(int number) {
    return new JobId(new UUID(0x7000, number));
  }

  /** The database, in which all jobs are cancelled. */
  private static final class Jobs implements LeaseKeeper.Renewals {
    private final List<Lease> asked = new CopyOnWriteArrayList<>();

    @Override
    public Renewal renew(Collection<Lease> leases) {
      asked.addAll(leases);
      return new Renewal(Set.of(), leases.stream().map(Lease::job).collect(Collectors.toSet()));
    }
  }

  private static final class Run implements Held {
    private final Lease lease;
    private volatile boolean lost;

    Run(JobId job, long epoch) {
      this.lease = new Lease(job, TenantId.DEFAULT, new Epoch(epoch));
    }

    @Override
    public Lease lease() {
      return lease;
    }

    @Override
    public void confirmed(long asked) {}

    @Override
    public void lost() {
      lost = true;
    }
  }

  /** Returns when all that the keeper was to do at once is done. */
  private void settle() throws InterruptedException, ExecutionException {
    timer.submit(() -> {}).get();
  }

  @Test
  void of_two_runs_of_one_job_the_older_was_never_told_that_it_is_lost() throws Exception {
    var older = new Run(JOB, 1);
    var newer = new Run(JOB, 2);
    keeper.keep(older);
    keeper.keep(newer);
    assertThat(older.lost).isTrue();
    assertThat(newer.lost).isFalse();

    keeper.drop(older);
    keeper.gap();
    settle();
    assertThat(jobs.asked).containsExactly(newer.lease);
  }

  @Test
  void the_older_is_the_one_with_the_lower_epoch_though_it_comes_last() throws Exception {
    var older = new Run(JOB, 1);
    var newer = new Run(JOB, 2);
    keeper.keep(newer);
    keeper.keep(older);
    assertThat(older.lost).isTrue();

    keeper.gap();
    settle();
    assertThat(jobs.asked).containsExactly(newer.lease);
  }

  @Test
  void a_cancel_that_is_heard_before_the_lease_is_kept_was_lost() throws Exception {
    keeper.heard(List.of(JOB));
    var run = new Run(JOB, 1);
    keeper.keep(run);
    settle();
    assertThat(run.lost).isTrue();
  }

  @Test
  void a_cancel_of_another_job_or_of_long_ago_asks_for_nothing() throws Exception {
    keeper.heard(List.of(job(2), job(3)));
    ticks.pass(RecallCancels.MEMORY);
    keeper.heard(List.of(job(3)));
    ticks.pass(Duration.ofMillis(1));
    for (int number = 1; number <= 2; number++) {
      keeper.keep(new Run(job(number), 1));
    }
    settle();
    assertThat(jobs.asked).isEmpty();

    keeper.keep(new Run(job(3), 1));
    settle();
    assertThat(jobs.asked).hasSize(1);
  }

  @Test
  void no_more_cancels_are_kept_in_mind_than_the_most() throws Exception {
    for (int number = 1; number <= RecallCancels.MOST + 1; number++) {
      keeper.heard(List.of(job(number)));
    }
    keeper.keep(new Run(job(1), 1));
    settle();
    assertThat(jobs.asked).isEmpty();

    keeper.keep(new Run(job(2), 1));
    settle();
    assertThat(jobs.asked).hasSize(1);
  }

  @Test
  void an_error_ended_the_renewing_of_all_leases_for_good() throws Exception {
    var renewals = new CountDownLatch(3);
    Collection<JobId> confirmed = ConcurrentHashMap.newKeySet();
    LeaseKeeper.Renewals broken =
        leases -> {
          renewals.countDown();
          if (renewals.getCount() > 0) {
            throw new StackOverflowError();
          }
          leases.forEach(lease -> confirmed.add(lease.job()));
          return new Renewal(Set.copyOf(confirmed), Set.of());
        };
    var rhythm = new LeaseKeeper.Rhythm(timer, ticks);
    try (var often = new LeaseKeeper(broken, Duration.ofMillis(30), rhythm)) {
      often.keep(new Run(JOB, 1));
      renewals.await();
      settle();
    }
    assertThat(confirmed).containsExactly(JOB);
  }
}
