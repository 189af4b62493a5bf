package dev.coatcheck.chaos;

import dev.coatcheck.postgres.EmbeddedPostgres;
import dev.coatcheck.postgres.PostgresSettings;
import dev.coatcheck.processes.SimulatorProcess;
import dev.coatcheck.processes.StackSettings;
import dev.coatcheck.processes.StartServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Two apps, three workers, a PostgreSQL behind a proxy for each of them, and a provider. */
final class Cluster implements AutoCloseable {
  /** Short, so that a run sees leases run out. */
  static final Duration LEASE = Duration.ofSeconds(6);

  /** The most connections of a pool. */
  static final int POOL = 6;

  private static final Duration TIME_TO_START = Duration.ofMinutes(3);
  private static final long POLL_MILLIS = 100;

  /** A killed server keeps what it acknowledged, as it does in production. */
  private static final Map<String, String> KEEPS_WHAT_IT_SAID =
      Map.of("max_connections", "300", "synchronous_commit", "on", "full_page_writes", "on");

  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private final Path logs;
  private final EmbeddedPostgres postgres;
  private final SimulatorProcess simulator;
  private final EffectLedger effects;
  private final FakeTool tool;
  private final HookLedger hooks;
  private final List<Member> apps;
  private final List<Member> workers;
  private volatile boolean databaseAway;

  private Cluster(Path directory, Size size, Duration lease) {
    logs = directory.resolve("logs");
    var database =
        new PostgresSettings(
            directory.resolve("postgres"),
            0,
            PostgresSettings.Keeping.DISPOSABLE,
            KEEPS_WHAT_IT_SAID);
    try {
      postgres = keep(EmbeddedPostgres.start(database));
      makeRoomForEffects();
      effects = keep(EffectLedger.start(directory.resolve("effects")));
      tool = keep(FakeTool.start(effects));
      hooks = keep(HookLedger.start());
      var settings =
          new StackSettings(
              database,
              logs,
              size.workers(),
              StackSettings.Heap.SMALL,
              properties(DeclareTools.in(directory, tool.url()), lease));
      simulator =
          keep(
              SimulatorProcess.start(
                  List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"),
                  settings.logs().resolve("simulator.log")));
      var launcher = new Launcher(new StartServers(settings, simulator.baseUrl()), directory);
      if (size.restartsOften()) {
        launcher.train(postgres.jdbcUrl());
      }
      var orders = directory.resolve("orders");
      apps =
          IntStream.rangeClosed(1, 2)
              .mapToObj(n -> keep(new Member("app-" + n, orders, postgres.port(), launcher::app)))
              .toList();
      workers =
          IntStream.rangeClosed(1, size.workers())
              .mapToObj(
                  n -> keep(new Member("worker-" + n, orders, postgres.port(), launcher::worker)))
              .toList();
      members().forEach(Member::start);
      await("every process is ready", TIME_TO_START, () -> members().allMatch(Member::isUp));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  private void makeRoomForEffects() {
    int _ = sql().sql(DeclareTools.TABLE).update();
  }

  private static Map<String, String> properties(Path tools, Duration lease) {
    return Map.of(
        "coatcheck.tools-file",
        tools.toAbsolutePath().toString(),
        "coatcheck.webhooks.secret",
        HookLedger.SECRET,
        "coatcheck.webhooks.allow-private-addresses",
        "true",
        "coatcheck.worker.lease",
        lease.toSeconds() + "s",
        "spring.datasource.hikari.maximum-pool-size",
        String.valueOf(POOL));
  }

  /** Returns once every process is ready. */
  static Cluster start(Path directory, Size size) {
    return start(directory, size, LEASE);
  }

  /** With a lease of another length. */
  static Cluster start(Path directory, Size size, Duration lease) {
    return new Cluster(directory, size, lease);
  }

  private <T extends AutoCloseable> T keep(T one) {
    started.push(one);
    return one;
  }

  /** Waits until it holds; false if it did not within the limit. */
  static boolean holdsWithin(Duration limit, BooleanSupplier condition) {
    long until = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > until) {
        return false;
      }
      rest(POLL_MILLIS);
    }
    return true;
  }

  static void await(String what, Duration limit, BooleanSupplier condition) {
    if (!holdsWithin(limit, condition)) {
      throw new ChaosFailed("not within " + limit + ": " + what);
    }
  }

  static void rest(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ChaosFailed("interrupted");
    }
  }

  Stream<Member> members() {
    return Stream.concat(apps.stream(), workers.stream());
  }

  List<Member> apps() {
    return new ArrayList<>(apps);
  }

  List<Member> workers() {
    return new ArrayList<>(workers);
  }

  EmbeddedPostgres postgres() {
    return postgres;
  }

  SimulatorProcess simulator() {
    return simulator;
  }

  EffectLedger effects() {
    return effects;
  }

  HookLedger hooks() {
    return hooks;
  }

  FakeTool tool() {
    return tool;
  }

  /** Writes of all workers, killed ones too, that the epoch stopped. */
  double staleWrites() {
    return workers.stream().mapToDouble(m -> m.total("coatcheck_writes_refused_total")).sum();
  }

  /** Said by whoever takes it away. */
  void databaseIsAway(boolean now) {
    databaseAway = now;
  }

  boolean isDatabaseAway() {
    return databaseAway;
  }

  /** Where the logs of all processes are. */
  Path logs() {
    return logs;
  }

  JdbcClient sql() {
    return Connect.to(postgres);
  }

  /** For invariants with a time limit. */
  JdbcClient sql(Duration grace) {
    return Connect.to(postgres, grace);
  }

  @Override
  public void close() {
    while (!started.isEmpty()) {
      try {
        started.pop().close();
      } catch (Exception e) {
        System.err.println("a part of the cluster did not end: " + e);
      }
    }
  }
}
