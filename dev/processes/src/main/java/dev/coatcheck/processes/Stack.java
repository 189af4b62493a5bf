package dev.coatcheck.processes;

import dev.coatcheck.postgres.EmbeddedPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The compose topology on this machine: one PostgreSQL, one app, some workers, and a simulator as
 * their only provider. Its processes end when it is closed, and at the latest with this JVM.
 */
public final class Stack implements AutoCloseable {
  /** The one API key, of the tenant {@code default}. */
  public static final String API_KEY = StartServers.API_KEY;

  private final ConcurrentLinkedDeque<AutoCloseable> started = new ConcurrentLinkedDeque<>();
  private final EmbeddedPostgres postgres;
  private final SimulatorProcess simulator;
  private final ServerProcess app;
  private final List<ServerProcess> workers = new ArrayList<>();

  private Stack(StackSettings settings) {
    try {
      postgres = keep(EmbeddedPostgres.start(settings.postgres()));
      simulator =
          keep(
              SimulatorProcess.start(
                  settings.heap().arguments(settings.heap().simulator()),
                  settings.logs().resolve("simulator.log")));
      var servers = new StartServers(settings, simulator.baseUrl());
      app = keep(servers.app("app", postgres.jdbcUrl()));
      for (int number = 1; number <= settings.workers(); number++) {
        workers.add(keep(servers.worker("worker-" + number, postgres.jdbcUrl())));
      }
      app.awaitReady();
      workers.forEach(ServerProcess::awaitReady);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** Starts it all, and returns once app and workers say that they are ready. */
  public static Stack start(StackSettings settings) {
    return new Stack(settings);
  }

  private <T extends AutoCloseable> T keep(T process) {
    started.addFirst(process);
    return process;
  }

  public EmbeddedPostgres postgres() {
    return postgres;
  }

  public SimulatorProcess simulator() {
    return simulator;
  }

  public ServerProcess app() {
    return app;
  }

  public List<ServerProcess> workers() {
    return List.copyOf(workers);
  }

  /** Ends the youngest first, so that nobody misses what he depends on. */
  @Override
  public void close() {
    for (var process = started.pollFirst(); process != null; process = started.pollFirst()) {
      try {
        process.close();
      } catch (Exception e) {
        System.err.println("a process of the stack did not end: " + e);
      }
    }
  }
}
