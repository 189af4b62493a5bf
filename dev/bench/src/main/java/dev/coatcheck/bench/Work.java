package dev.coatcheck.bench;

import java.sql.SQLException;
import java.time.Duration;

/** An engine that takes jobs, holds them back until it is told, and works them off. */
interface Work extends AutoCloseable {
  Duration LIMIT = Duration.ofMinutes(3);

  /** What taking them was like. */
  record Taken(double perSecond, double p50Ms, double p99Ms) {}

  String name();

  /** Takes the jobs without starting any of them. */
  Taken take(String marker, int count, int producers) throws Exception;

  /** Lets the engine go; returns once all jobs have ended. */
  void drain(String marker, int count) throws Exception;

  /** When the nth of these jobs to end had ended, in seconds on the database's clock. */
  double endOf(String marker, int nth) throws Exception;

  /** Processor time of all that belongs to the engine but the database. */
  double cpuSeconds();

  @Override
  default void close() throws SQLException {}
}
