package dev.coatcheck.worker.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.job.Budget;
import dev.coatcheck.db.job.Epoch;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.lease.LeasedJob;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.time.Ticks;
import dev.coatcheck.worker.egress.OutboundCall;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;

/** A lease that nobody has confirmed for long opens no socket, and closes none. */
class TenureTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration DEADLINE = Duration.ofMinutes(30);
  private static final Duration MILLI = Duration.ofMillis(1);

  private final SetTicks ticks = new SetTicks();
  private final Tenure tenure = new Tenure(job(), ticks.nanos(), LEASE, ticks);

  /** What waits by this clock waits for no time at all: what happens meanwhile is set before. */
  private static final class SetTicks implements Ticks {
    private long now = 1_000;
    private Runnable meanwhile = () -> {};
    private int waits;

    @Override
    public long nanos() {
      return now;
    }

    void pass(Duration time) {
      now += time.toNanos();
    }

    @Override
    public long await(Lock lock, Condition told, long nanos) {
      waits++;
      long end = now + nanos;
      meanwhile.run();
      return end - now;
    }
  }

  private static LeasedJob job() {
    return new LeasedJob(
        new Lease(
            new JobId(UUID.fromString("00000000-0000-7000-8000-000000000001")),
            TenantId.DEFAULT,
            new Epoch(1)),
        1,
        "order-1",
        "openai/m",
        "openai",
        "m",
        new Budget(4, 8, Duration.ofMinutes(10), Duration.ofMinutes(5)),
        new LeasedJob.Clock(Duration.ZERO, DEADLINE),
        new LeasedJob.Progress(0, 0, false),
        new byte[0]);
  }

  @Test
  void within_two_thirds_of_a_lease_a_call_begins_at_once() throws InterruptedException {
    ticks.pass(LEASE.dividedBy(3).multipliedBy(2));
    assertThat(tenure.begin()).isPresent();
    assertThat(tenure.beginTool()).isPresent();
    assertThat(ticks.waits).isZero();
  }

  @Test
  void without_a_renewal_for_two_thirds_of_a_lease_no_socket_is_opened()
      throws InterruptedException {
    ticks.pass(LEASE.dividedBy(3).multipliedBy(2).plus(MILLI));
    ticks.meanwhile = () -> ticks.pass(Duration.ofMinutes(1));
    assertThat(tenure.begin()).as("until the deadline has passed").isEmpty();
    assertThat(tenure.beginTool()).isEmpty();
    assertThat(tenure.isPastDeadline()).isTrue();
  }

  @Test
  void the_renewal_that_is_waited_for_opens_it() throws InterruptedException {
    ticks.pass(LEASE);
    ticks.meanwhile = () -> tenure.confirmed(ticks.nanos());
    assertThat(tenure.begin()).isPresent();
    assertThat(ticks.waits).isEqualTo(1);
  }

  @Test
  void a_renewal_that_was_asked_for_too_long_ago_opens_nothing() throws InterruptedException {
    ticks.pass(LEASE);
    long asked = ticks.nanos();
    ticks.pass(LEASE);
    ticks.meanwhile =
        () -> {
          tenure.confirmed(asked);
          ticks.pass(Duration.ofMinutes(1));
        };
    assertThat(tenure.begin()).isEmpty();
  }

  @Test
  void a_lease_that_is_lost_meanwhile_opens_nothing() throws InterruptedException {
    ticks.pass(LEASE);
    ticks.meanwhile = tenure::lost;
    assertThat(tenure.begin()).isEmpty();
    assertThat(tenure.isPastDeadline()).isFalse();
  }

  @Test
  void a_call_that_is_open_goes_on_without_a_renewal() throws InterruptedException {
    OutboundCall open = tenure.begin().orElseThrow();
    ticks.pass(LEASE.multipliedBy(10));
    ticks.meanwhile = () -> ticks.pass(Duration.ofMinutes(1));
    assertThat(tenure.beginTool()).isEmpty();
    assertThat(open.aborted()).isEmpty();
  }
}
