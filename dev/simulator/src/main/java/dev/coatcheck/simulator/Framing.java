package dev.coatcheck.simulator;

/** How the reader of an answer learns where its body ends. */
public enum Framing {
  /** By {@code content-length}. */
  LENGTH,
  /** By a last, empty chunk. */
  CHUNKED,
  /** By the end of the connection, which {@code connection: close} announces. */
  UNTIL_CLOSE
}
