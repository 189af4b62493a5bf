package dev.coatcheck.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * A JVM of its own that writes to a log file, and ends at the latest with ours, however that ends:
 * a watcher beside it reads a pipe that only we hold open.
 */
public final class ChildProcess implements AutoCloseable {
  private static final String WATCHED =
      """
      exec 3<&0
      child=$$
      (cat <&3 >/dev/null; kill -s KILL $child) >/dev/null 2>&1 &
      exec "$@" </dev/null 3<&-""";
  private static final Duration TIME_TO_STOP = Duration.ofSeconds(20);
  private static final Duration TIME_TO_DIE = Duration.ofSeconds(5);
  private static final long POLL_MILLIS = 20;
  private static final int LOG_CHARACTERS_SHOWN = 3_000;

  private final Process process;
  private final Path log;

  private ChildProcess(Process process, Path log) {
    this.process = process;
    this.log = log;
  }

  /** Starts this JVM's java with these arguments; both outputs go to the log. */
  public static ChildProcess java(List<String> arguments, Path log) {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var command = new ArrayList<>(List.of("/bin/sh", "-c", WATCHED, "watched", java));
    command.addAll(arguments);
    try {
      Files.createDirectories(log.toAbsolutePath().getParent());
      var builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
      builder.environment().keySet().removeIf(ChildProcess::isConfiguration);
      return new ChildProcess(builder.start(), log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the caller has configured for itself is not meant for a measured or tested process. */
  private static boolean isConfiguration(String variable) {
    return variable.matches(
        "(SPRING|COATCHECK|JOBRUNR|SERVER|MANAGEMENT|LOGGING)_.*|JAVA_.*OPTIONS");
  }

  public long pid() {
    return process.pid();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  public Path log() {
    return log;
  }

  /**
   * Waits until a line of its log has the pattern in it, and returns the first group.
   *
   * @throws ProcessFailed when it ends or the limit passes first; the log's end is in the message
   */
  public String awaitLog(Pattern pattern, Duration limit) {
    long until = System.nanoTime() + limit.toNanos();
    while (true) {
      var alive = isAlive();
      var found = find(pattern);
      if (found.isPresent()) {
        return found.get();
      }
      if (!alive || System.nanoTime() > until) {
        throw new ProcessFailed("no line " + pattern + " in " + log + ":\n" + endOfLog());
      }
      rest();
    }
  }

  private Optional<String> find(Pattern pattern) {
    var matcher = pattern.matcher(text());
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  private String text() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String endOfLog() {
    var text = text();
    return text.substring(Math.max(0, text.length() - LOG_CHARACTERS_SHOWN));
  }

  static void rest() {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProcessFailed("interrupted");
    }
  }

  /** Freezes it, as a long pause of its machine would. */
  public void pause() {
    signal("STOP");
  }

  /** Lets a paused one go on. */
  public void resume() {
    signal("CONT");
  }

  private void signal(String name) {
    try {
      var kill = new ProcessBuilder("kill", "-s", name, String.valueOf(pid())).start();
      if (kill.waitFor() != 0) {
        throw new ProcessFailed("process " + pid() + " takes no signal " + name);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ProcessFailed("interrupted");
    }
  }

  /** Asks it to stop, and returns at once. */
  public void stop() {
    // Process.destroy would close the pipe too, and the watcher kill what is about to stop.
    process.toHandle().destroy();
  }

  /**
   * Waits for its end.
   *
   * @throws ProcessFailed when the limit passes first
   */
  public void awaitEndIn(Duration limit) {
    if (!awaitEnd(limit)) {
      throw new ProcessFailed("it did not end, " + log + ":\n" + endOfLog());
    }
  }

  /** Ends it as {@code kill -9} does, and returns once it is gone. */
  public void kill() {
    process.destroyForcibly();
    awaitEnd(TIME_TO_DIE);
    release();
  }

  /** Asks it to stop, and kills it if it does not in time. */
  @Override
  public void close() {
    stop();
    if (!awaitEnd(TIME_TO_STOP)) {
      kill();
    }
    release();
  }

  private boolean awaitEnd(Duration limit) {
    try {
      return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void release() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // The pipe went with the process.
    }
  }
}
