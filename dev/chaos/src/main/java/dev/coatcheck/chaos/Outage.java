package dev.coatcheck.chaos;

import java.time.Duration;
import java.util.List;

/**
 * A time in which no app could reach the database.
 *
 * @param applied by {@link System#nanoTime}: from here on it was away for certain
 * @param healed by {@link System#nanoTime}: up to here it was
 * @param probes submits to apps that were up all the while
 * @param falselyReady those that said they were ready at its end
 * @param recovery from its end until every app that was up said it is ready
 */
record Outage(
    Fault.Kind kind,
    long applied,
    long healed,
    List<Event> probes,
    List<String> falselyReady,
    Duration recovery) {
  Outage {
    probes = List.copyOf(probes);
    falselyReady = List.copyOf(falselyReady);
  }

  /** Whether a request began and ended while the database was away. */
  boolean contains(Event event) {
    return event.start() - applied >= 0 && healed - event.end() >= 0;
  }
}
