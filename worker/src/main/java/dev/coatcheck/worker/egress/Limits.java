package dev.coatcheck.worker.egress;

import java.time.Duration;

/** This room's limits that nobody needs to configure. */
final class Limits {
  static final int HEADER_COUNT = 200;
  static final int HEADER_LINE = 16 * 1024;
  static final int EMPTY_LINES = 10;

  /** Small, because there may be ten thousand connections. */
  static final int SOCKET_BUFFER = 4 * 1024;

  /** Silence after a body of which only the rest is wanted. */
  static final Duration REST = Duration.ofSeconds(5);

  /** For the end of a body of which nothing more is wanted. */
  static final Duration FAREWELL = Duration.ofMillis(500);

  static final int READ_BUFFER = 16 * 1024;

  /** Shorter than any server's own, so that few reused connections turn out closed. */
  static final Duration KEEP_ALIVE = Duration.ofSeconds(30);

  /** So that a changed address of a provider is noticed. */
  static final Duration CONNECTION_LIFE = Duration.ofMinutes(10);

  static final Duration SWEEP = Duration.ofSeconds(10);
  static final int KEEP_ALIVE_IDLE_SECONDS = 30;
  static final int KEEP_ALIVE_INTERVAL_SECONDS = 10;
  static final int KEEP_ALIVE_PROBES = 6;

  /** Reused connections found in disorder, per call, before it is given up as unsent. */
  static final int BAD_CONNECTIONS = 3;

  private Limits() {}
}
