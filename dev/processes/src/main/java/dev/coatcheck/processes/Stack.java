package dev.coatcheck.processes;

import dev.coatcheck.postgres.EmbeddedPostgres;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The compose topology on this machine: one PostgreSQL, one app, some workers, and a simulator as
 * their only provider. Its processes end when it is closed, and at the latest with this JVM.
 */
public final class Stack implements AutoCloseable {
  /** The one API key, of the tenant {@code default}. */
  public static final String API_KEY = "ck_for-this-machine-only";

  private static final String MODEL = "openai/simulated";

  private final StackSettings settings;
  private final ConcurrentLinkedDeque<AutoCloseable> started = new ConcurrentLinkedDeque<>();
  private final EmbeddedPostgres postgres;
  private final SimulatorProcess simulator;
  private final ServerProcess app;
  private final List<ServerProcess> workers = new ArrayList<>();

  private Stack(StackSettings settings) {
    this.settings = settings;
    try {
      postgres = keep(EmbeddedPostgres.start(settings.postgres()));
      simulator =
          keep(
              SimulatorProcess.start(
                  settings.heap().arguments(settings.heap().simulator()),
                  settings.logs().resolve("simulator.log")));
      app = keep(ServerProcess.start(PackagedJars.app(), launchApp()));
      for (int number = 1; number <= settings.workers(); number++) {
        workers.add(keep(ServerProcess.start(PackagedJars.worker(), launchWorker(number))));
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

  private ServerProcess.Launch launchApp() {
    var properties = common();
    properties.put("coatcheck.default-model", MODEL);
    properties.put("coatcheck.api-keys[0].tenant", "default");
    properties.put("coatcheck.api-keys[0].sha256", sha256(API_KEY));
    properties.put("jobrunr.dashboard.enabled", "false");
    return new ServerProcess.Launch(
        settings.heap().arguments(settings.heap().app()),
        properties,
        settings.logs().resolve("app.log"));
  }

  private ServerProcess.Launch launchWorker(int number) {
    var properties = common();
    properties.put("coatcheck.providers.openai.base-url", simulator.baseUrl().toString());
    properties.put("coatcheck.providers.openai.api-key", "none");
    return new ServerProcess.Launch(
        settings.heap().arguments(settings.heap().worker()),
        properties,
        settings.logs().resolve("worker-" + number + ".log"));
  }

  private Map<String, String> common() {
    var properties = new TreeMap<>(settings.properties());
    properties.put("spring.datasource.url", postgres.jdbcUrl());
    properties.put("spring.datasource.username", EmbeddedPostgres.USERNAME);
    properties.put("management.endpoints.web.exposure.include", "health,prometheus");
    return properties;
  }

  private static String sha256(String text) {
    try {
      var digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
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
