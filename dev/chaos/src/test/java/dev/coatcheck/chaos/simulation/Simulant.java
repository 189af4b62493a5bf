package dev.coatcheck.chaos.simulation;

import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process of the simulation: what dies, stands still and holds connections together. */
final class Simulant {
  private final String name;
  private final List<LeasedConnection> connections = new ArrayList<>();
  private boolean dead;
  private long pausedUntil;
  private long transactionsEndAt = Long.MAX_VALUE;
  private int runs;

  Simulant(String name) {
    this.name = name;
  }

  String name() {
    return name;
  }

  boolean isDead() {
    return dead;
  }

  boolean isPaused(long now) {
    return !dead && pausedUntil > now;
  }

  long pausedUntil() {
    return pausedUntil;
  }

  /** Runs that are under way: each may have a call open, or an answer in hand. */
  int runs() {
    return runs;
  }

  void runs(int change) {
    runs += change;
  }

  /** Stands still until then; the server ends its open transactions before that. */
  void pause(long until, long transactionsEnd) {
    pausedUntil = until;
    transactionsEndAt = transactionsEnd;
  }

  /** What the server does to a session that idles in its transaction. */
  void endIdleTransactions(long now) {
    if (now >= transactionsEndAt) {
      transactionsEndAt = Long.MAX_VALUE;
      breakConnections();
    }
  }

  void kill() {
    dead = true;
    breakConnections();
  }

  private void breakConnections() {
    List.copyOf(connections).forEach(LeasedConnection::breakOff);
  }

  void took(LeasedConnection connection) {
    connections.add(connection);
  }

  void gaveBack(LeasedConnection connection) {
    connections.remove(connection);
  }

  /** A connection in use, that can be taken away. */
  interface LeasedConnection {
    Connection handle();

    /** Rolls back, as the server does, and answers nothing more. */
    void breakOff();
  }

  static long nanos(Duration length) {
    return length.toNanos();
  }
}
