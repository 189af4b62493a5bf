package dev.coatcheck.chaos.simulation;

/** Unwinds a thread whose process is dead. No database and no provider answers it any more. */
final class Halted extends Error {
  private static final long serialVersionUID = 1L;

  Halted() {
    super("halted", null, false, false);
  }
}
