package dev.coatcheck.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What a postmaster tells about itself in its cluster. */
record PidFile(long pid, int port, boolean isReady) {
  private static final int PORT_LINE = 3;
  private static final int STATUS_LINE = 7;

  static Path in(Path cluster) {
    return cluster.resolve("postmaster.pid");
  }

  /** Empty if there is none, or none that names a process. */
  static Optional<PidFile> read(Path cluster) {
    try {
      return parse(Files.readAllLines(in(cluster)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new PostgresFailedException(
          "%s cannot be read: %s".formatted(in(cluster), e.getMessage()), e);
    }
  }

  private static Optional<PidFile> parse(List<String> lines) {
    if (lines.isEmpty() || !lines.getFirst().matches("[1-9][0-9]{0,9}")) {
      return Optional.empty();
    }
    var ready = lines.size() > STATUS_LINE && lines.get(STATUS_LINE).startsWith("ready");
    var port = ready ? Integer.parseInt(lines.get(PORT_LINE)) : 0;
    return Optional.of(new PidFile(Long.parseLong(lines.getFirst()), port, ready));
  }
}
