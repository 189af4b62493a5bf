package dev.coatcheck.bench;

import dev.coatcheck.postgres.PostgresSettings;
import dev.coatcheck.processes.Stack;
import dev.coatcheck.processes.StackSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * The command: {@code [--runs=3] [--profile] [SCENARIO...]}. It ends with 0 when there are figures,
 * whatever they are; with 1 when a scenario did not do its work; with 3 when it took too long.
 */
public final class Bench {
  private static final StackSettings.Heap HEAP =
      new StackSettings.Heap("512m", "1g", "512m", List.of());
  private static final Duration LIMIT_OF_A_RUN = Duration.ofMinutes(8);

  private final Path directory;
  private final Options options;

  private Bench(Path directory, Options options) {
    this.directory = directory;
    this.options = options;
  }

  public static void main(String[] arguments) throws Exception {
    Options options;
    try {
      options = Options.parse(arguments);
    } catch (IllegalArgumentException unreadable) {
      System.err.println(unreadable.getMessage());
      System.exit(2);
      return;
    }
    endInTime(LIMIT_OF_A_RUN.multipliedBy((long) options.runs() * options.scenarios().size()));
    System.exit(new Bench(Path.of("dev/bench/target/run"), options).run() ? 0 : 1);
  }

  /** Nothing that hangs holds the machine: our processes end with us. */
  private static void endInTime(Duration limit) {
    var timer =
        Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("limit").unstarted(task));
    var _ =
        timer.schedule(
            () -> {
              System.err.println("not done after " + limit + ", given up");
              Runtime.getRuntime().halt(3);
            },
            limit.toSeconds(),
            TimeUnit.SECONDS);
  }

  private boolean run() throws IOException {
    deleteDirectory();
    Files.createDirectories(directory);
    System.out.printf(
        "Coatcheck bench, %s, runs of each scenario: %d; median (least ... most)%n",
        Instant.now().truncatedTo(ChronoUnit.SECONDS), options.runs());
    Machine.lines().forEach(System.out::println);
    System.out.printf(
        "disk       fdatasync of 8 KiB %.2f ms (median)%n", Machine.fdatasyncMs(directory));
    System.out.printf(
        "processes  app -Xmx%s, worker -Xmx%s, simulator -Xmx%s, PostgreSQL at its defaults, fsync on%n",
        HEAP.app(), HEAP.worker(), HEAP.simulator());
    var whole = true;
    for (var scenario : options.scenarios().entrySet()) {
      whole &= run(scenario.getKey(), scenario.getValue().get());
    }
    return whole;
  }

  private boolean run(String name, Scenario scenario) {
    var place = directory.resolve(name);
    var figures = new Figures();
    var whole = true;
    System.out.printf("%n%-10s %s%n", name, scenario.about());
    try (var stage = stage(scenario, place)) {
      System.out.println("  PostgreSQL " + server(stage));
      scenario.prepare(stage);
      if (isProfiled()) {
        Profile.begin(stage.database());
      }
      for (int run = 0; run < options.runs(); run++) {
        scenario.measure(stage, figures);
      }
      if (isProfiled()) {
        System.out.println(Profile.statements(stage.database()));
      }
    } catch (Exception e) {
      System.out.println("  FAILED: " + e + "; logs are in " + place);
      whole = false;
    }
    figures.lines().forEach(System.out::println);
    return whole;
  }

  private boolean isProfiled() {
    return options.looking() == Options.Looking.PROFILE;
  }

  private Stage stage(Scenario scenario, Path place) throws SQLException {
    var common =
        new StackSettings(
            PostgresSettings.durable(place.resolve("postgres"), 0), place, 1, HEAP, Map.of());
    var settings = scenario.settings(common);
    var stack = Stack.start(isProfiled() ? Profile.watched(settings, place) : settings);
    try {
      return new Stage(stack, place);
    } catch (SQLException e) {
      stack.close();
      throw e;
    }
  }

  private static String server(Stage stage) throws SQLException {
    return stage
        .database()
        .text(
            """
            select current_setting('server_version') || ', fsync ' || current_setting('fsync')
              || ', synchronous_commit ' || current_setting('synchronous_commit')
              || ', shared_buffers ' || current_setting('shared_buffers')
            """);
  }

  private void deleteDirectory() throws IOException {
    if (Files.exists(directory)) {
      try (var files = Files.walk(directory)) {
        for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
