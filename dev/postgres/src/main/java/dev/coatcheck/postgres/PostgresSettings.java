package dev.coatcheck.postgres;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * How an embedded server is to run.
 *
 * @param directory holds all of the server's files, and belongs to one JVM at a time
 * @param port on 127.0.0.1; 0 takes a free one
 * @param keeping whether what was committed outlives the JVM
 * @param parameters further server parameters, by PostgreSQL's names
 */
public record PostgresSettings(
    Path directory, int port, Keeping keeping, Map<String, String> parameters) {

  /** What becomes of the data. */
  public enum Keeping {
    /** Committed data survive a crash of the process or the machine. */
    DURABLE,
    /** For tests: nothing is synced, and the directory goes with the server or the JVM. */
    DISPOSABLE
  }

  public PostgresSettings {
    Objects.requireNonNull(keeping);
    if (port < 0 || port > 65_535) {
      throw new IllegalArgumentException("not a port: " + port);
    }
    directory = directory.toAbsolutePath().normalize();
    parameters = Map.copyOf(parameters);
  }

  /** Keeps the data in this directory; 0 takes a free port. */
  public static PostgresSettings durable(Path directory, int port) {
    return new PostgresSettings(directory, port, Keeping.DURABLE, Map.of());
  }

  /** Quick, on a free port, and gone with the JVM. */
  public static PostgresSettings disposable(Path directory) {
    return new PostgresSettings(directory, 0, Keeping.DISPOSABLE, Map.of("max_connections", "300"));
  }

  Path cluster() {
    return directory.resolve("postgres-18");
  }

  Path log() {
    return directory.resolve("postgres.log");
  }
}
