package dev.coatcheck.bench;

import dev.coatcheck.processes.ServerProcess;
import dev.coatcheck.processes.SimulatorProcess;
import dev.coatcheck.processes.Stack;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** What a scenario is measured on: a running stack, and a look into its database. */
final class Stage implements AutoCloseable {
  private static final String OPEN =
      "select count(*) from job where status in ('queued', 'in_progress', 'requires_action')";

  private final Stack stack;
  private final Path logs;
  private final Database database;
  private final Deque<Work> kept = new ArrayDeque<>();
  private int markers;

  Stage(Stack stack, Path logs) throws SQLException {
    this.stack = stack;
    this.logs = logs;
    database = new Database(stack.postgres().jdbcUrl());
  }

  Stack stack() {
    return stack;
  }

  Path logs() {
    return logs;
  }

  SimulatorProcess simulator() {
    return stack.simulator();
  }

  ServerProcess worker() {
    return stack.workers().getFirst();
  }

  Database database() {
    return database;
  }

  Submits submits() {
    return new Submits(stack.app().url());
  }

  /** Closes this with the stage. */
  <W extends Work> W keep(W work) {
    kept.push(work);
    return work;
  }

  /** A word that no other run's jobs have in their prompts. */
  String marker(String name) {
    return name + "-" + ++markers + "-";
  }

  /** Waits until no job is open, and makes sure that this many with the marker are completed. */
  void awaitCompleted(Submits.Order order, Duration limit)
      throws SQLException, InterruptedException {
    database.awaitZero(limit, OPEN);
    double completed =
        database.number(
            "select count(*) from job where status = 'completed' and idempotency_key like ?",
            order.marker() + "%");
    if (completed != order.count()) {
      throw new BenchFailed("%.0f of %d jobs were completed".formatted(completed, order.count()));
    }
  }

  @Override
  public void close() throws SQLException {
    try (stack;
        database) {
      while (!kept.isEmpty()) {
        kept.pop().close();
      }
    }
  }
}
