package dev.coatcheck.chaos;

import dev.coatcheck.db.probe.Checkpoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A run in which nothing happened proves nothing: what must have been seen at least. */
record Gate(
    Size size,
    Map<Fault.Kind, Integer> fired,
    Map<Checkpoint, Integer> points,
    Trail trail,
    double staleWrites) {
  Gate {
    fired = Map.copyOf(fired);
    points = Map.copyOf(points);
  }

  /** What was wanted and not seen. */
  List<String> missing() {
    var missing = new ArrayList<String>();
    size.faults()
        .forEach(
            (kind, wanted) -> {
              int seen = fired.getOrDefault(kind, 0);
              if (seen < wanted) {
                missing.add("%s hit %d times, not %d".formatted(kind, seen, wanted));
              }
            });
    points.forEach(
        (point, seen) -> {
          if (seen < size.killsAtEachCheckpoint()) {
            missing.add("killed %d times at %s".formatted(seen, point));
          }
        });
    if (!size.faults().isEmpty()) {
      want(missing, "a stale write refused", staleWrites);
      want(missing, "a job parked", trail.parks());
      want(missing, "a lease reaped", trail.reaps());
      want(missing, "a dispatch reconciled", trail.reconciles());
      want(missing, "an indeterminate attempt", trail.indeterminate());
    }
    if (size.faults().containsKey(Fault.Kind.ROLLING_RESTART)) {
      want(missing, "a job given back at a stop", trail.times().released().size());
    }
    return missing;
  }

  private static void want(List<String> missing, String what, double seen) {
    if (seen < 1) {
      missing.add("never seen: " + what);
    }
  }
}
