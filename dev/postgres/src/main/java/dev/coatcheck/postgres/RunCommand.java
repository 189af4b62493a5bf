package dev.coatcheck.postgres;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a short command to its end. */
final class RunCommand {
  private static final int LIMIT_SECONDS = 120;

  private RunCommand() {}

  /** How it ended, and what it said on both of its outputs. */
  record Result(int code, String output) {}

  static Result run(List<String> command) {
    try {
      var output = Files.createTempFile("coatcheck-", ".out");
      try {
        return new Result(await(command, output), Files.readString(output));
      } finally {
        Files.deleteIfExists(output);
      }
    } catch (IOException e) {
      return new Result(127, String.valueOf(e.getMessage()));
    }
  }

  private static int await(List<String> command, Path output) throws IOException {
    var process =
        prepare(command)
            .redirectInput(Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      if (process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        return process.exitValue();
      }
      Files.writeString(
          output, "no end after %d s".formatted(LIMIT_SECONDS), StandardCharsets.UTF_8);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    process.destroyForcibly();
    return -1;
  }

  /** The caller's PG* and locale variables must not reach the server. */
  static ProcessBuilder prepare(List<String> command) {
    var builder = new ProcessBuilder(command);
    var path = builder.environment().getOrDefault("PATH", "/usr/bin:/bin");
    builder.environment().clear();
    builder.environment().put("PATH", path);
    builder.environment().put("LC_ALL", "C");
    return builder;
  }
}
