package dev.coatcheck.processes;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The jars that {@code ./mvnw package} leaves. */
final class PackagedJars {
  private PackagedJars() {}

  static Path app() {
    return jar("app/target/coatcheck-app.jar");
  }

  static Path worker() {
    return jar("worker/target/coatcheck-worker.jar");
  }

  private static Path jar(String path) {
    var jar = root().resolve(path);
    if (!Files.exists(jar)) {
      throw new ProcessFailed(path + " is missing; ./mvnw -DskipTests package makes it.");
    }
    return jar;
  }

  private static Path root() {
    return Stream.iterate(Path.of("").toAbsolutePath(), d -> d != null, Path::getParent)
        .filter(directory -> Files.exists(directory.resolve("mvnw")))
        .findFirst()
        .orElseThrow(() -> new ProcessFailed("This must be run inside the repository."));
  }
}
