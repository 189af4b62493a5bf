package dev.coatcheck.standalone;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Finds the files that belong to no module. */
final class RepositoryRoot {
  private RepositoryRoot() {}

  static Path find() {
    return Stream.iterate(Path.of("").toAbsolutePath(), Path::getParent)
        .filter(directory -> Files.exists(directory.resolve("mvnw")))
        .findFirst()
        .orElseThrow();
  }
}
