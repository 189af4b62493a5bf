package dev.coatcheck.chaos.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of one history.
 *
 * @param broken what was promised and not kept; empty if all holds
 */
record History(long seed, Plot plot, List<String> broken, List<String> trace, Tally tally) {
  private static final Duration LONGEST = Duration.ofMinutes(15);
  private static final Duration SETTLE = Duration.ofMinutes(2);

  History {
    broken = List.copyOf(broken);
    trace = List.copyOf(trace);
  }

  static History of(Lane lane, long seed) {
    return of(lane, seed, DrawPlot.of(seed));
  }

  /** Lets a history happen, and checks what it leaves. */
  static History of(Lane lane, long seed, Plot plot) {
    var world = new World(lane, seed, plot);
    lane.attend(world);
    var broken = new ArrayList<String>();
    try {
      world.begin();
      if (!world.schedule.run(world::isOver, LONGEST)) {
        broken.add("I1: not everything has ended");
      }
      boolean _ = world.schedule.run(world::isSettled, SETTLE);
      broken.addAll(new CheckWorld(world).all());
    } catch (AssertionError e) {
      broken.add("the simulation itself: " + e);
    }
    Tally tally = Tally.of(world);
    world.schedule.end();
    lane.clear();
    return new History(seed, plot, broken, world.schedule.trace(), tally);
  }

  boolean holds() {
    return broken.isEmpty();
  }

  /** What to read when it does not hold, and how to see it again. */
  String story() {
    return """
        seed %d: %s
        plot: %s
        again: ./mvnw -pl dev/chaos -am test -Dtest=SimulationTest -Dsurefire.failIfNoSpecifiedTests=false -Dsimulation.seed=%d
        %s"""
        .formatted(seed, String.join("\n  ", broken), plot, seed, String.join("\n", trace));
  }
}
