package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.probe.Checkpoint;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** The checkpoints that a history can come to. */
final class Points {
  /** Webhooks have a runner and a store of their own, and nobody here to receive them. */
  private static final Set<String> OF_WEBHOOKS = Set.of("K14", "K15");

  static final List<Checkpoint> ALL =
      Arrays.stream(Checkpoint.values())
          .filter(point -> !OF_WEBHOOKS.contains(point.name().substring(0, 3)))
          .toList();

  private Points() {}
}
