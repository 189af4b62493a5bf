package dev.coatcheck.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs PostgreSQL's programs as somebody whom they accept: they refuse the super-user.
 *
 * @param prefix what comes before each command
 * @param owner who must own the server's files, empty if whoever we are will do
 */
record OrdinaryUser(List<String> prefix, String owner) {
  private static final String NOBODY = "65534";

  OrdinaryUser {
    prefix = List.copyOf(prefix);
  }

  static OrdinaryUser find() {
    if (!isRoot()) {
      return ourselves();
    }
    var candidates = List.of(inUserNamespace(), asNobody());
    return candidates.stream()
        .filter(OrdinaryUser::works)
        .findFirst()
        .orElseThrow(
            () ->
                new PostgresFailedException(
                    "PostgreSQL refuses to run as root, and neither unshare nor setpriv works here;"
                        + " start Coatcheck as another user."));
  }

  static OrdinaryUser ourselves() {
    return new OrdinaryUser(List.of(), "");
  }

  /** Inside, our own files belong to a user that is not called root; outside nothing changes. */
  static OrdinaryUser inUserNamespace() {
    return new OrdinaryUser(List.of("unshare", "--user"), "");
  }

  /** For containers that forbid user namespaces. */
  static OrdinaryUser asNobody() {
    return new OrdinaryUser(
        List.of("setpriv", "--reuid", NOBODY, "--regid", NOBODY, "--clear-groups"),
        NOBODY + ":" + NOBODY);
  }

  private static boolean isRoot() {
    return RunCommand.run(List.of("id", "-u")).output().strip().equals("0");
  }

  private boolean works() {
    return RunCommand.run(command(List.of("true"))).code() == 0;
  }

  List<String> command(List<String> rest) {
    var command = new ArrayList<>(prefix);
    command.addAll(rest);
    return command;
  }

  /** Lets the server pass through the directory that holds its files. */
  void mayPass(Path directory) {
    if (owner.isEmpty()) {
      return;
    }
    try {
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));
    } catch (IOException e) {
      throw new PostgresFailedException("%s cannot be opened: %s".formatted(directory, e), e);
    }
    if (!mayEnter(directory)) {
      throw new PostgresFailedException(
          "PostgreSQL refuses to run as root, and user %s, as whom it would run, may not enter %s."
              .formatted(NOBODY, directory));
    }
  }

  /** Makes an existing directory one that the server may own. */
  void own(Path directory) {
    if (owner.isEmpty()) {
      return;
    }
    var result = RunCommand.run(List.of("chown", "-R", owner, directory.toString()));
    if (result.code() != 0) {
      throw new PostgresFailedException(
          "%s cannot be given to the user that PostgreSQL runs as: %s"
              .formatted(directory, result.output().strip()));
    }
  }

  /** Whether the programs may lie in the user's own cache, which others may not enter. */
  boolean mayUse(Path cache) {
    try {
      Files.createDirectories(cache);
      return Files.isWritable(cache) && mayEnter(cache);
    } catch (IOException e) {
      return false;
    }
  }

  private boolean mayEnter(Path directory) {
    return RunCommand.run(command(List.of("test", "-x", directory.toString()))).code() == 0;
  }
}
