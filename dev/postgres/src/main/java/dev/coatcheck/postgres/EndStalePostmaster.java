package dev.coatcheck.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears what a JVM left behind that was killed together with its supervisor. The caller holds the
 * directory's lock, so no living JVM owns the server that is found.
 */
final class EndStalePostmaster {
  private static final Logger LOG = LoggerFactory.getLogger(EndStalePostmaster.class);
  private static final int SECONDS_TO_END = 5;

  private final Path home;
  private final OrdinaryUser user;

  EndStalePostmaster(Path home, OrdinaryUser user) {
    this.home = home;
    this.user = user;
  }

  void end(Path cluster) {
    var found = PidFile.read(cluster).map(PidFile::pid).flatMap(ProcessHandle::of);
    if (found.isEmpty()) {
      return;
    }
    if (!isPostmasterOf(found.get(), cluster)) {
      forget(cluster);
      return;
    }
    LOG.atInfo().addKeyValue("pid", found.get().pid()).log("Stopping a PostgreSQL left behind");
    if (!stopped(cluster, "fast") && !stopped(cluster, "immediate")) {
      kill(found.get());
    }
  }

  /** Process ids come round again: the number alone proves nothing. */
  static boolean isPostmasterOf(ProcessHandle process, Path cluster) {
    var arguments = process.info().arguments().orElse(new String[0]);
    return Arrays.asList(arguments).contains(cluster.toString());
  }

  /** PostgreSQL would take a stranger that has the number by now for its own postmaster. */
  private static void forget(Path cluster) {
    try {
      Files.deleteIfExists(PidFile.in(cluster));
    } catch (IOException e) {
      throw new PostgresFailedException(
          "The stale %s cannot be deleted: %s".formatted(PidFile.in(cluster), e), e);
    }
  }

  private boolean stopped(Path cluster, String mode) {
    var command =
        List.of(
            home.resolve("bin/pg_ctl").toString(),
            "stop",
            "--pgdata=" + cluster,
            "--mode=" + mode,
            "--wait",
            "--timeout=" + SECONDS_TO_END);
    return RunCommand.run(user.command(command)).code() == 0;
  }

  private static void kill(ProcessHandle postmaster) {
    var backends = postmaster.descendants().toList();
    postmaster.destroyForcibly();
    backends.forEach(ProcessHandle::destroyForcibly);
    try {
      postmaster.onExit().get(SECONDS_TO_END, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new PostgresFailedException(
          "A PostgreSQL left behind, process %d, does not end.".formatted(postmaster.pid()), e);
    }
  }
}
