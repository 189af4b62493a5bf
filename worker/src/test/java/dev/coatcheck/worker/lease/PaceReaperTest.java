package dev.coatcheck.worker.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Workers that outlived an outage renew before anybody reaps them. */
class PaceReaperTest {
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration MILLI = Duration.ofMillis(1);

  private final SetTicks ticks = new SetTicks();
  private Duration seenFor = Duration.ZERO;
  private int reaped;
  private final PaceReaper pace = new PaceReaper(LEASE, () -> seenFor, ticks);

  private void pass(Duration time) {
    ticks.pass(time);
    seenFor = seenFor.plus(time);
  }

  private void look() {
    pace.reap(() -> reaped++);
  }

  @Test
  void nobody_is_reaped_before_the_database_was_seen_for_half_a_lease_without_a_break() {
    pass(LEASE);
    seenFor = Duration.ZERO; // It was away.
    look();
    pass(LEASE.dividedBy(2).minus(MILLI));
    look();
    assertThat(reaped).isZero();

    pass(MILLI);
    look();
    assertThat(reaped).isEqualTo(1);
  }

  @Test
  void a_second_outage_begins_the_wait_anew() {
    pass(LEASE.dividedBy(2).minus(MILLI));
    seenFor = Duration.ZERO;
    pass(LEASE.dividedBy(2).minus(MILLI));
    look();
    assertThat(reaped).isZero();
  }

  @Test
  void it_is_done_each_period_and_no_more_often() {
    pass(LEASE);
    look();
    pass(PaceReaper.PERIOD.minus(MILLI));
    look();
    assertThat(reaped).isEqualTo(1);

    pass(MILLI);
    look();
    assertThat(reaped).isEqualTo(2);
  }

  @Test
  void what_failed_is_done_at_the_next_look() {
    pass(LEASE);
    assertThatThrownBy(
            () ->
                pace.reap(
                    () -> {
                      throw new IllegalStateException("away");
                    }))
        .isInstanceOf(IllegalStateException.class);
    look();
    assertThat(reaped).isEqualTo(1);
  }
}
