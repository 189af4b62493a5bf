package dev.coatcheck.processes;

import dev.coatcheck.postgres.PostgresSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a stack is made of.
 *
 * @param postgres its server, and where that keeps its files
 * @param logs the directory of the processes' logs
 * @param workers how many worker processes
 * @param heap of the app and of each worker
 * @param properties Spring's, of the app and of the workers
 */
public record StackSettings(
    PostgresSettings postgres, Path logs, int workers, Heap heap, Map<String, String> properties) {
  private static final int MOST_WORKERS = 16;

  /**
   * The most memory of each process, as {@code -Xmx} takes it.
   *
   * @param jvm further arguments of each JVM
   */
  public record Heap(String app, String worker, String simulator, List<String> jvm) {
    /** Starts quickly and never gets fast. */
    public static final Heap SMALL =
        new Heap("256m", "256m", "256m", List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));

    public Heap {
      jvm = List.copyOf(jvm);
    }

    List<String> arguments(String most) {
      var arguments = new ArrayList<>(jvm);
      arguments.addAll(List.of("-Xmx" + most, "-XX:+ExitOnOutOfMemoryError"));
      return arguments;
    }
  }

  public StackSettings {
    properties = Map.copyOf(properties);
    if (workers < 0 || workers > MOST_WORKERS) {
      throw new IllegalArgumentException("not a number of workers: " + workers);
    }
  }

  /** For tests: two workers, nothing synced, everything in this directory. */
  public static StackSettings disposable(Path directory) {
    return new StackSettings(
        PostgresSettings.disposable(directory.resolve("postgres")),
        directory.resolve("logs"),
        2,
        Heap.SMALL,
        Map.of());
  }

  public StackSettings with(String property, String value) {
    var more = new TreeMap<>(properties);
    more.put(property, value);
    return new StackSettings(postgres, logs, workers, heap, more);
  }
}
