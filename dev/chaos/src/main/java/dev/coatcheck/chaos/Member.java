package dev.coatcheck.chaos;

import dev.coatcheck.chaos.inside.Inside;
import dev.coatcheck.processes.ProcessFailed;
import dev.coatcheck.processes.ServerProcess;
import dev.coatcheck.processes.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * One app or worker, with a proxy between it and the database, and one between it and its callers,
 * whose address therefore stays when it is started again.
 */
final class Member implements AutoCloseable {
  /** What a killed one had counted would go with it. */
  private static final String[] COUNTERS = {
    "coatcheck_writes_refused_total",
    "coatcheck_leases_reaped_total",
    "coatcheck_dispatches_reconciled_total"
  };

  private static final int LOOKS = 3;

  /** It is killed after that. */
  static final Duration TIME_TO_STOP = Duration.ofSeconds(20);

  private final String name;
  private final Path directory;
  private final Function<Site, ServerProcess> start;
  private final FaultProxy database;
  private final FaultProxy front;
  private final Map<String, Double> carried = new ConcurrentHashMap<>();
  private volatile @Nullable ServerProcess process;
  private volatile boolean ready;
  private volatile long readySince;
  private volatile boolean paused;
  private volatile boolean doomed;
  private volatile boolean leaving;
  private volatile int starts;
  private int failedStarts;
  private boolean closed;

  /**
   * @param directory for the orders that it is given
   */
  Member(String name, Path directory, int databasePort, Function<Site, ServerProcess> start) {
    this.name = name;
    this.directory = directory.toAbsolutePath();
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
    starts++;
    doomed = false;
    leaving = false;
    var url =
        "jdbc:postgresql://127.0.0.1:%d/coatcheck?ApplicationName=coatcheck-%s"
            .formatted(database.port(), name);
    var site = new Site(name + "-" + starts, url, List.of(orders(ordersFile())), Map.of());
    var started = start.apply(site);
    process = started;
    Thread _ = Thread.ofVirtual().start(() -> open(started));
  }

  private Path ordersFile() {
    return directory.resolve("%s-%d.orders".formatted(name, starts));
  }

  /** The JVM's argument that says where its orders come from. */
  static String orders(Path file) {
    return "-D" + Inside.ORDERS + "=" + file;
  }

  private void open(ServerProcess started) {
    try {
      started.awaitReady();
      front.redirect(started.url().getPort());
      front.set(new Weather.Fair());
      readySince = System.nanoTime();
      ready = started.equals(process);
    } catch (ProcessFailed e) {
      startAgain(started);
    }
  }

  /** As a container's restart policy does. */
  private synchronized void startAgain(ServerProcess failed) {
    if (!closed && failed.equals(process)) {
      failedStarts++;
      kill();
      start();
    }
  }

  /** Starts that broke off, because what they need was not there. */
  synchronized int failedStarts() {
    return failedStarts;
  }

  /** Whether it has come up, and goes on. */
  boolean isUp() {
    var current = process;
    return ready && !paused && !leaving && current != null && current.process().isAlive();
  }

  /** Whether it is up and has been for so long. */
  boolean isUpFor(Duration length) {
    return isUp() && System.nanoTime() - readySince > length.toNanos();
  }

  /** Whether something is being done to it or its way to the database. */
  boolean isFaulty() {
    return !isUp() || !(database.weather() instanceof Weather.Fair);
  }

  /** What it says of itself; not while its database is away. */
  boolean isReady() {
    var current = process;
    return isUp() && current != null && current.isReady();
  }

  /** Empty unless it ended without our doing after it was ready; then the end of its log. */
  Optional<String> endedByItself() {
    var current = process;
    return current == null || !ready || doomed || leaving || current.process().isAlive()
        ? Optional.empty()
        : Optional.of(name + " ended by itself:\n" + current.process().endOfLog());
  }

  synchronized void kill() {
    var victim = process;
    if (victim != null) {
      carry();
      process = null;
      ready = false;
      victim.process().kill();
      front.set(new Weather.Refused());
    }
  }

  /** Asks it to stop, and returns at once. */
  void askToStop() {
    leaving = true;
    current().process().stop();
  }

  /** Whether it was asked to stop, and is not started anew yet. */
  boolean isLeaving() {
    return leaving;
  }

  /** Asks it to stop, and returns once it has; with SIGKILL in the end. */
  synchronized void stop() {
    var last = process;
    if (last != null) {
      leaving = true;
      carry();
      ready = false;
      last.process().stop();
      try {
        last.process().awaitEndIn(TIME_TO_STOP);
      } finally {
        process = null;
        last.process().kill();
        front.set(new Weather.Refused());
      }
    }
  }

  private void carry() {
    for (var counter : COUNTERS) {
      carried.merge(counter, now(counter), Double::sum);
    }
  }

  /** Tells what is inside of it to do something; {@code none} takes that back. */
  void order(String what) {
    var file = ordersFile();
    var draft = file.resolveSibling(file.getFileName() + ".draft");
    try {
      doomed = what.startsWith("halt");
      Files.createDirectories(directory);
      Files.writeString(draft, what);
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether it has carried an order out at a checkpoint. */
  boolean hasObeyed() {
    var file = ordersFile();
    return Files.exists(file.resolveSibling(file.getFileName() + ".done"));
  }

  void pause() {
    paused = true;
    current().process().pause();
  }

  /** It has stopped itself. */
  void isPaused() {
    paused = true;
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

  /**
   * The runs that it has; the least of three looks, as a look for work holds slots for a moment.
   */
  double runs() {
    return DoubleStream.generate(() -> now("coatcheck_runs_in_flight"))
        .limit(LOOKS)
        .min()
        .orElse(0);
  }

  /** All its metrics; empty when it does not say. */
  String metrics() {
    var current = process;
    try {
      return current == null || !isUp() ? "" : current.metrics();
    } catch (ProcessFailed e) {
      return "";
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
