package dev.coatcheck.chaos;

import dev.coatcheck.chaos.inside.Inside;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;

/** Packs what goes before the classes of a process under test. */
final class FrontJar {
  private static final String FOUND_BY =
      "META-INF/spring/org.springframework.boot.autoconfigure.AutoConfiguration.imports";
  private static final List<String> CLASSES =
      List.of("Inside", "Inside$1", "Orders", "Orders$Order");

  private FrontJar() {}

  static Path in(Path directory) {
    var jar = directory.toAbsolutePath().resolve("front.jar");
    try {
      Files.createDirectories(jar.getParent());
      try (var out = new JarOutputStream(Files.newOutputStream(jar))) {
        for (var name : CLASSES) {
          add(out, "dev/coatcheck/chaos/inside/" + name + ".class", bytes(name));
        }
        add(out, FOUND_BY, Inside.class.getName().getBytes(StandardCharsets.UTF_8));
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void add(JarOutputStream out, String name, byte[] content) throws IOException {
    out.putNextEntry(new JarEntry(name));
    out.write(content);
    out.closeEntry();
  }

  private static byte[] bytes(String name) throws IOException {
    try (InputStream in = Inside.class.getResourceAsStream(name + ".class")) {
      if (in == null) {
        throw new IllegalStateException(name + " is not there");
      }
      return in.readAllBytes();
    }
  }
}
