package dev.coatcheck.postgres;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermission;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** Unpacks the platform's PostgreSQL, once for each version and user. */
final class UnpackBinaries {
  private static final Set<PosixFilePermission> PROGRAM =
      Set.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE,
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_EXECUTE);

  private final Path cache;

  UnpackBinaries(Path cache) {
    this.cache = cache;
  }

  /** The directory that holds bin, lib and share. Any number of JVMs may ask at once. */
  Path unpack() {
    var name = archiveName(System.getProperty("os.name"), System.getProperty("os.arch"));
    try (var resource = UnpackBinaries.class.getResourceAsStream("/" + name)) {
      if (resource == null) {
        throw new PostgresFailedException(
            "This build holds no PostgreSQL for %s on %s; set spring.datasource.url instead."
                .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
      }
      var archive = resource.readAllBytes();
      var home = cache.resolve("postgres-" + digest(archive).substring(0, 16));
      if (!Files.isDirectory(home)) {
        unpackBeside(archive, home);
      }
      return home;
    } catch (IOException e) {
      throw new PostgresFailedException(
          "PostgreSQL could not be unpacked into %s: %s".formatted(cache, e), e);
    }
  }

  static String archiveName(String osName, String osArch) {
    var system = osName.toLowerCase(Locale.ROOT).startsWith("mac") ? "darwin" : "linux";
    var machine = Set.of("aarch64", "arm64").contains(osArch) ? "arm_64" : "x86_64";
    return "postgres-%s-%s.txz".formatted(system, machine);
  }

  /** The rename makes it visible whole or not at all; whoever comes second drops his own copy. */
  private void unpackBeside(byte[] archive, Path home) throws IOException {
    Files.createDirectories(cache);
    var part = Files.createTempDirectory(cache, "unpacking-");
    Files.setPosixFilePermissions(part, PROGRAM);
    try {
      extract(archive, part);
      Files.move(part, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      DeleteTree.delete(part);
      if (!Files.isDirectory(home)) {
        throw e;
      }
    }
  }

  private static void extract(byte[] archive, Path into) throws IOException {
    try (var tar =
        new TarArchiveInputStream(
            new BufferedInputStream(new XZInputStream(new ByteArrayInputStream(archive))))) {
      for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
        extract(tar, entry, into);
      }
    }
  }

  private static void extract(TarArchiveInputStream tar, TarArchiveEntry entry, Path into)
      throws IOException {
    var target = into.resolve(entry.getName()).normalize();
    if (!target.startsWith(into)) {
      throw new IOException("an entry outside its directory: " + entry.getName());
    }
    if (entry.isDirectory()) {
      Files.createDirectories(target);
      return;
    }
    Files.createDirectories(target.resolveSibling("."));
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
      return;
    }
    Files.copy(tar, target);
    if ((entry.getMode() & 0100) != 0) {
      Files.setPosixFilePermissions(target, PROGRAM);
    }
  }

  private static String digest(byte[] archive) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(archive));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
