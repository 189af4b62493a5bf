package dev.coatcheck.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** Starts {@link HoldServer} and reads its one line. */
final class ServerInAnotherJvm implements AutoCloseable {
  private final Process process;
  private final String line;

  private ServerInAnotherJvm(Process process, String line) {
    this.process = process;
    this.line = line;
  }

  static ServerInAnotherJvm start(String keeping, Path directory) {
    try {
      var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
      var process =
          new ProcessBuilder(
                  List.of(
                      java,
                      "-Xshare:auto",
                      "-XX:TieredStopAtLevel=1",
                      "-cp",
                      System.getProperty("java.class.path"),
                      HoldServer.class.getName(),
                      keeping,
                      directory.toString()))
              .redirectError(Redirect.INHERIT)
              .start();
      return new ServerInAnotherJvm(
          process, firstLine(process.inputReader(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String firstLine(BufferedReader reader) throws IOException {
    return Objects.requireNonNull(reader.readLine(), "the other JVM said nothing");
  }

  String line() {
    return line;
  }

  ProcessHandle postmaster() {
    return ProcessHandle.of(Long.parseLong(line.split(" ", -1)[0])).orElseThrow();
  }

  ProcessHandle supervisor() {
    return postmaster().parent().orElseThrow();
  }

  String jdbcUrl() {
    return "jdbc:postgresql://127.0.0.1:%s/coatcheck".formatted(line.split(" ", -1)[1]);
  }

  void kill() {
    process.destroyForcibly();
    close();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(10, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
