package dev.coatcheck.chaos;

import dev.coatcheck.db.probe.Checkpoint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Which named points were hit how often; the one hit the least is next. */
final class Points {
  private final List<Checkpoint> order;
  private final Map<Checkpoint, Integer> tried = new EnumMap<>(Checkpoint.class);
  private final Map<Checkpoint, Integer> hit = new EnumMap<>(Checkpoint.class);

  private Points(String initial, long seed) {
    order =
        new ArrayList<>(
            Arrays.stream(Checkpoint.values()).filter(p -> p.name().startsWith(initial)).toList());
    Collections.shuffle(order, new Random(seed));
  }

  static Points ofWorkers(long seed) {
    return new Points("K", seed);
  }

  static Points ofApps(long seed) {
    return new Points("W", seed);
  }

  /** One that was hit often enough less often than the others; of those, the one least tried. */
  Checkpoint next() {
    var next =
        order.stream()
            .min(
                Comparator.<Checkpoint>comparingInt(
                        p -> hit.getOrDefault(p, 0) + tried.getOrDefault(p, 0) / 4)
                    .thenComparingInt(p -> tried.getOrDefault(p, 0)))
            .orElseThrow();
    tried.merge(next, 1, Integer::sum);
    return next;
  }

  void hit(Checkpoint point) {
    hit.merge(point, 1, Integer::sum);
  }

  /** Hits of the point that was hit the least. */
  int least() {
    return Collections.min(hits().values());
  }

  /** Of all points. */
  Map<Checkpoint, Integer> hits() {
    var all = new EnumMap<Checkpoint, Integer>(Checkpoint.class);
    order.forEach(point -> all.put(point, hit.getOrDefault(point, 0)));
    return all;
  }
}
