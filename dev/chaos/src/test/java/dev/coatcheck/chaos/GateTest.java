package dev.coatcheck.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** A run too short to show anything is a failed run. */
class GateTest {
  private static Trail trail(int seen) {
    return new Trail(Map.of(), seen, seen, seen, seen, Trail.Times.NONE);
  }

  @Test
  void a_run_that_showed_everything_passes() {
    assertThat(new Gate(Size.VERIFY, Size.VERIFY.faults(), Map.of(), trail(1), 1).missing())
        .isEmpty();
  }

  @Test
  void a_run_without_faults_need_not_show_any() {
    assertThat(new Gate(Size.BASELINE, Map.of(), Map.of(), trail(0), 0).missing()).isEmpty();
  }

  @Test
  void a_run_that_showed_nothing_lacks_all_of_it() {
    assertThat(new Gate(Size.VERIFY, Map.of(), Map.of(), trail(0), 0).missing())
        .hasSize(Size.VERIFY.faults().size() + 5)
        .contains("KILL_WORKER hit 0 times, not 2", "never seen: a stale write refused");
  }

  @Test
  void a_seed_draws_the_same_jobs_and_faults_again() {
    assertThat(Size.CHAOS.schedule(7)).isEqualTo(Size.CHAOS.schedule(7));
    assertThat(Size.CHAOS.schedule(7)).isNotEqualTo(Size.CHAOS.schedule(8));
    assertThat(Size.CHAOS.errand(7, 3)).isEqualTo(Size.CHAOS.errand(7, 3));
    assertThat(Size.CHAOS.errand(7, 3)).isNotEqualTo(Size.CHAOS.errand(8, 3));
  }

  @Test
  void every_size_kills_as_often_as_it_says() {
    assertThat(kills(Size.BASELINE)).isZero();
    assertThat(kills(Size.VERIFY)).isEqualTo(4);
    assertThat(kills(Size.CHAOS)).isEqualTo(20);
    assertThat(kills(Size.NIGHTLY)).isEqualTo(300);
  }

  private static long kills(Size size) {
    return size.schedule(1).stream().filter(fault -> fault.kind().isKill()).count();
  }
}
