package dev.coatcheck.simulator;

/**
 * Answers as a function. It may wait for whatever a test has it wait for; each connection has a
 * thread of its own.
 */
@FunctionalInterface
public interface Script {
  /**
   * @param nth one for the first request with this {@link Match#keyOf key}, two for the second
   */
  Answer answer(ReceivedRequest request, int nth);
}
