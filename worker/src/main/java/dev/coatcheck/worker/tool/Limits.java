package dev.coatcheck.worker.tool;

/** This room's limits that nobody needs to configure. */
final class Limits {
  /** Calls of one turn that run side by side. */
  static final int SIDE_BY_SIDE = 8;

  /** Calls of one turn that are run at all; the model is told about the others. */
  static final int CALLS_PER_TURN = 128;

  /** Times a call is sent. */
  static final int SENDS = 4;

  /** Bytes of a model's arguments. */
  static final int ARGUMENTS = 1 << 20;

  /** Characters of what a model, or a caller, is told about a failure. */
  static final int MESSAGE = 2_000;

  /** Characters of a tool's own words in it. */
  static final int EXCERPT = 1_000;

  private Limits() {}
}
