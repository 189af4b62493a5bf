package dev.coatcheck.processes;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

/**
 * How one of our jars is started.
 *
 * @param arguments of the JVM, up to its main class or jar
 */
public record Program(List<String> arguments) {
  private static final Duration TIME_TO_EXTRACT = Duration.ofSeconds(60);

  public Program {
    arguments = List.copyOf(arguments);
  }

  /** As everybody starts it. */
  static Program of(Path jar) {
    return new Program(List.of("-jar", jar.toString()));
  }

  /** The app's, with a jar of the caller's before its own classes. */
  public static Program app(Path front, Path directory) {
    return extracted(PackagedJars.app(), front, directory.resolve("app"));
  }

  /** The worker's, with a jar of the caller's before its own classes. */
  public static Program worker(Path front, Path directory) {
    return extracted(PackagedJars.worker(), front, directory.resolve("worker"));
  }

  private static Program extracted(Path jar, Path front, Path directory) {
    var arguments =
        List.of(
            "-Djarmode=tools",
            "-jar",
            jar.toString(),
            "extract",
            "--force",
            "--destination",
            directory.toString());
    try (var extract =
        ChildProcess.java(arguments, directory.resolveSibling(directory.getFileName() + ".log"))) {
      extract.awaitEndIn(TIME_TO_EXTRACT);
    }
    var main = directory.resolve(jar.getFileName());
    return new Program(List.of("-cp", front + ":" + main, mainClass(main)));
  }

  private static String mainClass(Path jar) {
    try (var file = new JarFile(jar.toFile())) {
      return file.getManifest().getMainAttributes().getValue(Attributes.Name.MAIN_CLASS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
