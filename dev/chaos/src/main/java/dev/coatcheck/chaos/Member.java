package dev.coatcheck.chaos;

import dev.coatcheck.processes.ProcessFailed;
import dev.coatcheck.processes.ServerProcess;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One app or worker, with a proxy between it and the database, and one between it and its callers,
 * whose address therefore stays when it is started again.
 */
final class Member implements AutoCloseable {
  /** What a killed one had counted would go with it. */
  private static final String[] COUNTERS = {
    "coatcheck_leases_lost_total",
    "coatcheck_leases_reaped_total",
    "coatcheck_dispatches_reconciled_total"
  };

  private final String name;
  private final BiFunction<String, String, ServerProcess> start;
  private final FaultProxy database;
  private final FaultProxy front;
  private final Map<String, Double> carried = new ConcurrentHashMap<>();
  private volatile @Nullable ServerProcess process;
  private volatile boolean ready;
  private volatile boolean paused;
  private int starts;
  private int failedStarts;
  private boolean closed;

  /**
   * @param start takes a log's name and the database's JDBC URL
   */
  Member(String name, int databasePort, BiFunction<String, String, ServerProcess> start) {
    this.name = name;
    this.start = start;
    this.database = FaultProxy.before(databasePort);
    this.front = FaultProxy.before(databasePort);
    this.front.set(new Weather.Refused());
  }

  String name() {
    return name;
  }

  /** Between it and the database. */
  FaultProxy database() {
    return database;
  }

  /** Between it and its callers. */
  FaultProxy front() {
    return front;
  }

  /** Starts it, and returns at once; callers come in when it is ready. */
  synchronized void start() {
    var url = "jdbc:postgresql://127.0.0.1:%d/coatcheck".formatted(database.port());
    var started = start.apply(name + "-" + ++starts, url);
    process = started;
    Thread _ = Thread.ofVirtual().start(() -> open(started));
  }

  private void open(ServerProcess started) {
    try {
      started.awaitReady();
      front.redirect(started.url().getPort());
      front.set(new Weather.Fair());
      ready = started.equals(process);
    } catch (ProcessFailed e) {
      startAgain(started);
    }
  }

  /** As whatever supervises it in production does, when the database goes away in a start. */
  private synchronized void startAgain(ServerProcess failed) {
    if (failed.equals(process) && !closed) {
      failedStarts++;
      start();
    }
  }

  /** How many starts broke off, other than by a kill of ours. */
  synchronized int failedStarts() {
    return failedStarts;
  }

  /** Ready, and not stopped by us. */
  boolean isUp() {
    return ready && !paused;
  }

  /** Says itself that it is ready, which it does not while its database is away. */
  boolean isReady() {
    var current = process;
    return isUp() && current != null && current.isReady();
  }

  /** Empty unless it ended without our doing after it was ready; then the end of its log. */
  Optional<String> endedByItself() {
    var current = process;
    return current == null || !ready || current.process().isAlive()
        ? Optional.empty()
        : Optional.of(name + " ended by itself:\n" + current.process().endOfLog());
  }

  synchronized void kill() {
    var victim = process;
    if (victim != null) {
      for (var counter : COUNTERS) {
        carried.merge(counter, now(counter), Double::sum);
      }
      process = null;
      ready = false;
      victim.process().kill();
      front.set(new Weather.Refused());
    }
  }

  void pause() {
    paused = true;
    current().process().pause();
  }

  void resume() {
    current().process().resume();
    paused = false;
  }

  private ServerProcess current() {
    var current = process;
    if (current == null) {
      throw new IllegalStateException(name + " does not run");
    }
    return current;
  }

  /** A counter of it and of all that ran in its place. */
  double total(String counter) {
    return carried.getOrDefault(counter, 0.0) + now(counter);
  }

  /** A metric as it is at the moment; 0 when it does not say. */
  double now(String metric) {
    var current = process;
    if (current == null || !isUp()) {
      return 0;
    }
    try {
      return current.metric(metric, "");
    } catch (ProcessFailed e) {
      return 0;
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    var last = process;
    if (last != null) {
      if (paused) {
        resume();
      }
      last.process().kill();
      last.close();
    }
    front.close();
    database.close();
  }
}
