package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.dao.DataAccessResourceFailureException;

/** Hands over at each point, and strikes where it is planned. */
final class FaultProbe implements Probe {
  static final Duration LEASE = Duration.ofSeconds(30);

  /** What the server grants a session that idles in its transaction. */
  private static final Duration IDLE_IN_TRANSACTION = Duration.ofSeconds(3);

  private static final int LONGEST_DELAY_MS = 2_500;

  private final Schedule schedule;
  private final List<Strike> plan;
  private final Map<Checkpoint, Integer> occurrences = new EnumMap<>(Checkpoint.class);
  private final List<Strike> fired = new ArrayList<>();
  private int hits;

  FaultProbe(Schedule schedule, List<Strike> plan) {
    this.schedule = schedule;
    this.plan = List.copyOf(plan);
  }

  /** How often each point was reached. */
  Map<Checkpoint, Integer> occurrences() {
    return occurrences;
  }

  List<Strike> fired() {
    return fired;
  }

  /** Calls that were open, or answered and not yet recorded, when a fault hit; at most. */
  int hits() {
    return hits;
  }

  @Override
  public void reach(Checkpoint point) {
    Optional<Act> act = act(point);
    if (act.isEmpty()) {
      schedule.handOver();
      return;
    }
    switch (act.get()) {
      case THROW, PRETEND -> throw failure(point);
      case HALT -> halt();
      case PAUSE -> pause();
      case DELAY -> delay();
    }
  }

  @Override
  public <T> T write(Checkpoint point, Supplier<T> write) {
    Optional<Act> act = act(point);
    if (act.filter(Act.THROW::equals).isPresent()) {
      throw failure(point);
    }
    T written = write.get();
    if (act.isEmpty()) {
      schedule.handOver();
      return written;
    }
    switch (act.get()) {
      case THROW, PRETEND -> throw failure(point);
      case HALT -> halt();
      case PAUSE -> pause();
      case DELAY -> delay();
    }
    return written;
  }

  private Optional<Act> act(Checkpoint point) {
    int occurrence = occurrences.merge(point, 1, Integer::sum);
    Optional<Strike> strike =
        plan.stream()
            .filter(one -> one.point() == point && one.occurrence() == occurrence)
            .findFirst();
    schedule.note(point + strike.map(one -> " -> " + one.act()).orElse(""));
    strike.ifPresent(fired::add);
    return strike.map(Strike::act);
  }

  private RuntimeException failure(Checkpoint point) {
    hit(1);
    return new DataAccessResourceFailureException("simulated at " + point);
  }

  private void halt() {
    Simulant process = schedule.current().process();
    hit(process.runs());
    process.kill();
    throw new Halted();
  }

  private void pause() {
    Simulant process = schedule.current().process();
    hit(process.runs());
    long now = schedule.now();
    long length = schedule.random().nextLong(LEASE.toNanos(), LEASE.multipliedBy(3).toNanos());
    process.pause(now + length, now + IDLE_IN_TRANSACTION.toNanos());
    schedule.handOver();
  }

  private void delay() {
    schedule.rest(Duration.ofMillis(1 + schedule.random().nextInt(LONGEST_DELAY_MS)));
  }

  /** Counts a fault that hit so many calls at most. */
  void hit(int calls) {
    hits += calls;
  }
}
