package dev.coatcheck.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** One running server process and the supervisor that is its parent. */
final class Postmaster {
  /** More than the supervisor takes in all: 3 s to stop, 2 s to stop at once, then a kill. */
  private static final int SECONDS_TO_END = 8;

  private final Process supervisor;
  private final PostgresSettings settings;

  Postmaster(Process supervisor, PostgresSettings settings) {
    this.supervisor = supervisor;
    this.settings = settings;
  }

  boolean isAlive() {
    return supervisor.isAlive();
  }

  /** Waits a moment for the server's end; true if it came. */
  boolean endsWithin(long millis) {
    try {
      return supervisor.waitFor(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new PostgresFailedException("Interrupted while PostgreSQL was starting.", e);
    }
  }

  boolean isReady() {
    return PidFile.read(settings.cluster()).filter(f -> f.isReady() && isOurs(f)).isPresent();
  }

  private boolean isOurs(PidFile file) {
    return supervisor.children().anyMatch(child -> child.pid() == file.pid());
  }

  long pid() {
    return PidFile.read(settings.cluster())
        .map(PidFile::pid)
        .orElseThrow(() -> new IllegalStateException("PostgreSQL is not running"));
  }

  /** Ends the sessions, writes a checkpoint, ends. */
  void stop() {
    order("INT\n");
    awaitEnd();
  }

  /** Ends without a checkpoint; the supervisor deletes a disposable directory. */
  void abandon() {
    order("");
    awaitEnd();
  }

  /** What a power cut does: no process of the server lives on, nothing is tidied. */
  void crash() {
    var postmaster = ProcessHandle.of(pid());
    var backends = postmaster.stream().flatMap(ProcessHandle::descendants).toList();
    postmaster.ifPresent(ProcessHandle::destroyForcibly);
    backends.forEach(ProcessHandle::destroyForcibly);
    awaitEnd();
  }

  private void order(String signal) {
    try (var input = supervisor.getOutputStream()) {
      input.write(signal.getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      if (supervisor.isAlive()) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private void awaitEnd() {
    try {
      if (!supervisor.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
        supervisor.descendants().forEach(ProcessHandle::destroyForcibly);
        supervisor.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
