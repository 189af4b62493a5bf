package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.probe.Checkpoint;
import java.time.Duration;
import java.util.List;

/**
 * What a history begins with, and what is planned to happen in it.
 *
 * @param jobs in the order of their submits
 * @param strikes at checkpoints
 * @param events from outside
 */
record Plot(List<Scenario> jobs, List<Strike> strikes, List<Event> events) {
  Plot {
    jobs = List.copyOf(jobs);
    strikes = List.copyOf(strikes);
    events = List.copyOf(events);
  }

  /** What happens to a whole process, a job, or its dispatches. */
  sealed interface Event {
    Duration at();

    /** A worker is killed from outside, wherever it is: the one with the most runs. */
    record Kill(Duration at) implements Event {}

    /** A worker is stopped in good order. */
    record Stop(Duration at) implements Event {}

    record Cancel(Duration at, int job) implements Event {}

    /** Somebody deletes the newest dispatches of all open jobs. */
    record LoseDispatches(Duration at) implements Event {}
  }

  /** Whether nothing goes wrong in it but what the provider does. */
  boolean isCalm() {
    return strikes.isEmpty() && events.isEmpty();
  }

  boolean strikes(Checkpoint point) {
    return strikes.stream().anyMatch(strike -> strike.point() == point);
  }
}
