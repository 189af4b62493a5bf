package dev.coatcheck.postgres;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Starts the server in a session of its own, out of reach of the terminal's Ctrl-C. */
final class StartPostmaster {
  /** Recovery after a crash reads the write-ahead log since the last checkpoint. */
  private static final Duration TIME_TO_START = Duration.ofMinutes(2);

  private static final long POLL_MILLIS = 15;
  private static final int LOG_CHARACTERS_SHOWN = 1_000;
  private static final String OLD_BACKENDS_LIVE = "pre-existing shared memory block";

  private static final Map<String, String> ALWAYS =
      Map.of(
          "listen_addresses", "127.0.0.1",
          "unix_socket_directories", "",
          "logging_collector", "off",
          "log_timezone", "UTC",
          "timezone", "UTC");
  private static final Map<String, String> DISPOSABLE =
      Map.of("fsync", "off", "full_page_writes", "off", "synchronous_commit", "off");

  private final Path home;
  private final OrdinaryUser user;

  StartPostmaster(Path home, OrdinaryUser user) {
    this.home = home;
    this.user = user;
  }

  Postmaster start(PostgresSettings settings, int port) {
    var until = System.nanoTime() + TIME_TO_START.toNanos();
    var postmaster = launch(settings, port);
    while (!postmaster.isReady()) {
      if (System.nanoTime() > until) {
        postmaster.stop();
        throw new PostgresFailedException(
            "PostgreSQL did not start within %d s; see %s."
                .formatted(TIME_TO_START.toSeconds(), settings.log()));
      }
      if (postmaster.endsWithin(POLL_MILLIS)) {
        postmaster = launchAgainOrFail(settings, port);
      }
    }
    return postmaster;
  }

  /** The backends of a killed postmaster end by themselves, but a moment after it. */
  private Postmaster launchAgainOrFail(PostgresSettings settings, int port) {
    var log = tailOf(settings.log());
    if (!log.contains(OLD_BACKENDS_LIVE)) {
      throw new PostgresFailedException("PostgreSQL did not start: " + log);
    }
    return launch(settings, port);
  }

  private Postmaster launch(PostgresSettings settings, int port) {
    try {
      var process =
          RunCommand.prepare(command(settings, port))
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(settings.log().toFile()))
              .start();
      return new Postmaster(process, settings);
    } catch (IOException e) {
      throw new PostgresFailedException("PostgreSQL could not be run: " + e.getMessage(), e);
    }
  }

  private List<String> command(PostgresSettings settings, int port) {
    var disposable = settings.keeping() == PostgresSettings.Keeping.DISPOSABLE;
    var command = new ArrayList<>(OwnSession.prefix());
    command.addAll(List.of("/bin/sh", "-c", supervisorScript(), "supervise.sh"));
    command.add(disposable ? settings.directory().toString() : "");
    command.addAll(user.prefix());
    command.addAll(
        List.of(home.resolve("bin/postgres").toString(), "-D", settings.cluster().toString()));
    parameters(settings, port)
        .forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
    return command;
  }

  private static Map<String, String> parameters(PostgresSettings settings, int port) {
    var parameters = new TreeMap<>(ALWAYS);
    if (settings.keeping() == PostgresSettings.Keeping.DISPOSABLE) {
      parameters.putAll(DISPOSABLE);
    }
    parameters.putAll(settings.parameters());
    parameters.put("port", String.valueOf(port));
    return parameters;
  }

  private static String supervisorScript() {
    try (var script = StartPostmaster.class.getResourceAsStream("supervise.sh")) {
      if (script == null) {
        throw new IllegalStateException("supervise.sh is not in the jar");
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new PostgresFailedException("supervise.sh cannot be read", e);
    }
  }

  private static String tailOf(Path log) {
    try {
      var text = Files.readString(log).strip();
      return text.substring(Math.max(0, text.length() - LOG_CHARACTERS_SHOWN));
    } catch (IOException e) {
      return "its log %s cannot be read".formatted(log);
    }
  }
}
