package dev.coatcheck.chaos;

import dev.coatcheck.chaos.Fault.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * How much one run is.
 *
 * @param name in capitals
 * @param workers how many there are
 * @param over how long the submits are spread
 * @param faults how often each is to be seen
 */
record Size(String name, int workers, int jobs, Duration over, Map<Kind, Integer> faults) {
  /** Nothing is broken: whatever is found is the harness's fault, or a plain bug. */
  static final Size BASELINE = new Size("BASELINE", 3, 60, Duration.ofSeconds(8), Map.of());

  /** A part of {@code ./mvnw verify}. */
  static final Size VERIFY =
      new Size(
          "VERIFY",
          3,
          60,
          Duration.ofSeconds(26),
          Map.of(
              Kind.KILL_WORKER, 2,
              Kind.KILL_AT_CHECKPOINT, 1,
              Kind.KILL_APP, 1,
              Kind.PAUSE_AT_CHECKPOINT, 1,
              Kind.END_SESSIONS, 1,
              Kind.PARTITION_WORKER, 1,
              Kind.LOSE_ANSWERS, 1,
              Kind.EMPTY_DISPATCHES, 1));

  /** {@code -Pchaos}. */
  static final Size CHAOS =
      new Size(
          "CHAOS",
          3,
          300,
          Duration.ofSeconds(150),
          Map.ofEntries(
              Map.entry(Kind.KILL_WORKER, 7),
              Map.entry(Kind.KILL_APP, 4),
              Map.entry(Kind.KILL_AT_CHECKPOINT, 8),
              Map.entry(Kind.KILL_APP_AT_CHECKPOINT, 1),
              Map.entry(Kind.PAUSE_WORKER, 1),
              Map.entry(Kind.PAUSE_AT_CHECKPOINT, 2),
              Map.entry(Kind.ROLLING_RESTART, 1),
              Map.entry(Kind.JUMP_CLOCK, 1),
              Map.entry(Kind.END_SESSIONS, 5),
              Map.entry(Kind.PARTITION_WORKER, 1),
              Map.entry(Kind.CUT_ONE_WAY, 1),
              Map.entry(Kind.SLOW_WORKER, 1),
              Map.entry(Kind.LOSE_DATABASE_ANSWERS, 2),
              Map.entry(Kind.CUT_DATABASE, 1),
              Map.entry(Kind.LOSE_ANSWERS, 2),
              Map.entry(Kind.RESTART_DATABASE, 1),
              Map.entry(Kind.CRASH_DATABASE, 1),
              Map.entry(Kind.EMPTY_DISPATCHES, 2)));

  /** {@code -Pnightly}. */
  static final Size NIGHTLY =
      new Size(
          "NIGHTLY",
          5,
          10_000,
          Duration.ofMinutes(27),
          Map.ofEntries(
              Map.entry(Kind.KILL_WORKER, 50),
              Map.entry(Kind.KILL_APP, 20),
              Map.entry(Kind.KILL_AT_CHECKPOINT, 205),
              Map.entry(Kind.KILL_APP_AT_CHECKPOINT, 25),
              Map.entry(Kind.PAUSE_WORKER, 8),
              Map.entry(Kind.PAUSE_AT_CHECKPOINT, 10),
              Map.entry(Kind.ROLLING_RESTART, 3),
              Map.entry(Kind.JUMP_CLOCK, 10),
              Map.entry(Kind.END_SESSIONS, 100),
              Map.entry(Kind.PARTITION_WORKER, 25),
              Map.entry(Kind.CUT_ONE_WAY, 15),
              Map.entry(Kind.SLOW_WORKER, 5),
              Map.entry(Kind.LOSE_DATABASE_ANSWERS, 8),
              Map.entry(Kind.CUT_DATABASE, 3),
              Map.entry(Kind.LOSE_ANSWERS, 8),
              Map.entry(Kind.RESTART_DATABASE, 14),
              Map.entry(Kind.CRASH_DATABASE, 6),
              Map.entry(Kind.EMPTY_DISPATCHES, 8)));

  /** Past the lease, the reaper's patience and its period. */
  static final Duration PAST_A_LEASE = Cluster.LEASE.multipliedBy(3);

  private static final int LEAST_AT_A_CHECKPOINT = 10;
  private static final int SHORTEST_REST_MS = 800;
  private static final int REST_SPREAD_MS = 3_000;

  Size {
    faults = Map.copyOf(faults);
  }

  static Size named(String name) {
    return Stream.of(BASELINE, VERIFY, CHAOS, NIGHTLY)
        .filter(size -> size.name.equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no size " + name));
  }

  /** Whether so many processes are started that it pays to make starts quick first. */
  boolean restartsOften() {
    return jobs >= CHAOS.jobs;
  }

  /** How much less often callers look, so that they do not take the machine for themselves. */
  int calm() {
    return jobs >= NIGHTLY.jobs ? 3 : 1;
  }

  /** How much sooner the next fault comes; long runs wait for workers to be up instead. */
  private int haste() {
    return jobs >= NIGHTLY.jobs ? 3 : jobs >= CHAOS.jobs ? 2 : 1;
  }

  /** How often each checkpoint of a worker is to be hit by a kill. */
  int killsAtEachCheckpoint() {
    return jobs >= NIGHTLY.jobs ? LEAST_AT_A_CHECKPOINT : 0;
  }

  /**
   * A job of a seed; those past the number of jobs are for faults that take longer than planned.
   */
  Errand errand(long seed, int number) {
    return Errand.draw(seed, number, over.multipliedBy(number).dividedBy(jobs));
  }

  /** The faults of a seed, in their order. */
  List<Fault> schedule(long seed) {
    var random = new Random(seed);
    var deck = new ArrayList<Kind>();
    new TreeMap<>(faults).forEach((kind, n) -> deck.addAll(Collections.nCopies(n, kind)));
    Collections.shuffle(deck, random);
    return deck.stream().map(kind -> fault(kind, random)).toList();
  }

  private Fault fault(Kind kind, Random random) {
    var lasts =
        switch (kind) {
          case PAUSE_WORKER, PAUSE_AT_CHECKPOINT -> PAST_A_LEASE;
          case PARTITION_WORKER, CUT_ONE_WAY, SLOW_WORKER ->
              Cluster.LEASE.plusMillis(random.nextInt(3_000));
          case CUT_DATABASE, RESTART_DATABASE, CRASH_DATABASE ->
              Duration.ofMillis(4_000 + random.nextInt(4_000));
          case LOSE_DATABASE_ANSWERS, LOSE_ANSWERS -> Duration.ofMillis(1_500);
          case KILL_WORKER,
              KILL_APP,
              KILL_AT_CHECKPOINT,
              KILL_APP_AT_CHECKPOINT,
              ROLLING_RESTART,
              JUMP_CLOCK,
              END_SESSIONS,
              EMPTY_DISPATCHES ->
              Duration.ZERO;
        };
    var rest =
        Duration.ofMillis(SHORTEST_REST_MS + random.nextInt(REST_SPREAD_MS)).dividedBy(haste());
    return new Fault(kind, random.nextInt(6), lasts, rest);
  }
}
