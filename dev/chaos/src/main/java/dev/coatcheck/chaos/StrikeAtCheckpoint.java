package dev.coatcheck.chaos;

import dev.coatcheck.db.probe.Checkpoint;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Has a process halt or stop where it comes to a named point, and sees to it that one comes. */
final class StrikeAtCheckpoint {
  /** Past a lease, the reaper's patience and its period, which one of the points needs. */
  private static final Duration PATIENCE = Cluster.LEASE.plusSeconds(12);

  private static final Duration TIME_TO_HEAR = Duration.ofMillis(300);

  /** What makes rare points come about. */
  interface Provoke {
    /** Has leases run out. */
    void killAnother(Member spared);

    /** Has a job asked for, whose provider behaves so. */
    void submit(String directive);

    /** Has dispatches go missing. */
    void emptyDispatches();
  }

  private final Provoke provoke;

  StrikeAtCheckpoint(Provoke provoke) {
    this.provoke = provoke;
  }

  /**
   * Returns who was hit, if anybody came there in time.
   *
   * @param act {@code halt} or {@code stop}
   */
  Optional<Member> strike(String act, Checkpoint point, List<Member> among) {
    var told = isRare(point) ? among : among.subList(0, 1);
    told.forEach(member -> member.order(act + " " + point));
    Cluster.rest(TIME_TO_HEAR.toMillis());
    bringAbout(point, told);
    Cluster.holdsWithin(PATIENCE, () -> told.stream().anyMatch(Member::hasObeyed));
    told.stream().filter(member -> !member.hasObeyed()).forEach(member -> member.order("none"));
    Cluster.rest(TIME_TO_HEAR.toMillis());
    return told.stream().filter(Member::hasObeyed).findFirst();
  }

  /** What any worker may do next, but seldom does. */
  private static boolean isRare(Checkpoint point) {
    return switch (point) {
      case K8_CLAIMED,
          K9_EFFECT_DONE,
          K10_RESULT_RECORDED,
          K11_BETWEEN_STEPS,
          K14_BEFORE_DELIVERY,
          K15_POSTED,
          K16_PARKED,
          K18_REAPED,
          K19_RECONCILED ->
          true;
      default -> false;
    };
  }

  private void bringAbout(Checkpoint point, List<Member> told) {
    switch (point) {
      case K8_CLAIMED, K9_EFFECT_DONE, K10_RESULT_RECORDED ->
          provoke.submit("tool keyed {}, tool noted {}, ok");
      case K11_BETWEEN_STEPS -> provoke.submit("500, ok");
      case K16_PARKED -> provoke.submit("429 retry-after=4, ok");
      case K18_REAPED -> provoke.killAnother(told.getLast());
      case K19_RECONCILED -> provoke.emptyDispatches();
      case K20_STOPPING -> told.getFirst().askToStop();
      default -> {}
    }
  }
}
