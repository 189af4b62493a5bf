package dev.coatcheck.simulator;

/** How an answer ended. */
public enum Ending {
  /** It has not; the caller is still waiting. */
  OPEN,
  /** Every byte of it was handed to the network. */
  WHOLE,
  /** The simulator stopped short, as it was told to. */
  BROKEN_OFF,
  /** The caller left before the end. */
  CALLER_LEFT
}
