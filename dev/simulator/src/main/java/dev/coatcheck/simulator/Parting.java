package dev.coatcheck.simulator;

/** What becomes of the connection where an answer stops. */
public enum Parting {
  /** It is closed as if nothing were wrong (FIN). */
  CLOSE,
  /** It is torn down (RST). */
  RESET,
  /** Nothing more is said until the caller leaves. */
  SILENCE
}
