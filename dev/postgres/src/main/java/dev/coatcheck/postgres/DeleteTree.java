package dev.coatcheck.postgres;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Deletes a directory and all below it; what is gone already does not matter. */
final class DeleteTree extends SimpleFileVisitor<Path> {
  private DeleteTree() {}

  static void delete(Path root) throws IOException {
    Files.walkFileTree(root, new DeleteTree());
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    Files.deleteIfExists(file);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
    if (e instanceof NoSuchFileException) {
      return FileVisitResult.CONTINUE;
    }
    throw e;
  }

  @Override
  public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException e)
      throws IOException {
    if (e != null) {
      throw e;
    }
    Files.deleteIfExists(directory);
    return FileVisitResult.CONTINUE;
  }
}
