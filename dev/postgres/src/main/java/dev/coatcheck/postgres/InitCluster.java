package dev.coatcheck.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** Makes an empty cluster: UTF-8, ordered by code point on every system, trust on loopback. */
final class InitCluster {
  private final Path home;
  private final OrdinaryUser user;

  InitCluster(Path home, OrdinaryUser user) {
    this.home = home;
    this.user = user;
  }

  /** A kill half-way leaves a directory of another name, never half a cluster. */
  void initUnlessThere(PostgresSettings settings) {
    var cluster = settings.cluster();
    if (Files.exists(cluster)) {
      return;
    }
    var part = cluster.resolveSibling("initialising");
    try {
      if (Files.exists(part)) {
        DeleteTree.delete(part);
      }
      Files.createDirectories(part);
      user.own(part);
      init(part, settings.keeping());
      Files.move(part, cluster, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new PostgresFailedException(
          "A database could not be made in %s: %s".formatted(settings.directory(), e), e);
    }
  }

  private void init(Path part, PostgresSettings.Keeping keeping) {
    var command =
        new ArrayList<>(
            List.of(
                home.resolve("bin/initdb").toString(),
                "--pgdata=" + part,
                "--username=" + EmbeddedPostgres.USERNAME,
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--no-instructions"));
    if (keeping == PostgresSettings.Keeping.DISPOSABLE) {
      command.add("--no-sync");
    }
    var result = RunCommand.run(user.command(command));
    if (result.code() != 0) {
      throw new PostgresFailedException(
          "A database could not be made in %s: %s"
              .formatted(part.resolveSibling("."), result.output().strip()));
    }
  }
}
