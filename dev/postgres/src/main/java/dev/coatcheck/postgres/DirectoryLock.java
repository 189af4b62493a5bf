package dev.coatcheck.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** One server at a time in a data directory. The operating system drops it when the JVM dies. */
final class DirectoryLock implements AutoCloseable {
  /**
   * The directories this JVM holds. Asking the operating system a second time would lose the first
   * lock: closing any channel on a file gives up all locks that the process has on it.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path directory;
  private final FileChannel channel;

  private DirectoryLock(Path directory, FileChannel channel) {
    this.directory = directory;
    this.channel = channel;
  }

  static DirectoryLock take(Path directory) {
    try {
      Files.createDirectories(directory);
      var real = directory.toRealPath();
      if (!HELD.add(real)) {
        throw inUse(directory);
      }
      return takeFromOthers(real, directory);
    } catch (IOException e) {
      throw new PostgresFailedException(
          "The data directory %s cannot be written: %s".formatted(directory, e), e);
    }
  }

  private static DirectoryLock takeFromOthers(Path real, Path directory) throws IOException {
    var taken = false;
    try {
      var channel = open(real);
      taken = channel.tryLock() != null;
      if (!taken) {
        channel.close();
        throw inUse(directory);
      }
      return new DirectoryLock(real, channel);
    } finally {
      if (!taken) {
        HELD.remove(real);
      }
    }
  }

  private static FileChannel open(Path directory) throws IOException {
    return FileChannel.open(
        directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  }

  private static PostgresFailedException inUse(Path directory) {
    return new PostgresFailedException(
        "The data directory %s is in use by another running Coatcheck.".formatted(directory));
  }

  @Override
  public void close() {
    try {
      channel.close();
      HELD.remove(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
