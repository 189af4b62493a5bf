package dev.coatcheck.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL 18 of our own on 127.0.0.1: user {@code postgres}, no password, database {@code
 * coatcheck}. It ends with this JVM, however that ends, and never because of the terminal's Ctrl-C.
 */
public final class EmbeddedPostgres implements AutoCloseable {
  public static final String USERNAME = "postgres";
  public static final String DATABASE = "coatcheck";
  private static final int PORTS_TRIED = 3;

  private final PostgresSettings settings;
  private final DirectoryLock lock;
  private final StartPostmaster startPostmaster;
  private int port;
  private @Nullable Postmaster postmaster;

  private EmbeddedPostgres(PostgresSettings settings, DirectoryLock lock, StartPostmaster start) {
    this.settings = settings;
    this.lock = lock;
    this.startPostmaster = start;
  }

  /**
   * Starts the server that these settings describe, and makes its data if there are none.
   *
   * @throws PostgresFailedException with one sentence, also when another JVM holds the directory
   */
  public static EmbeddedPostgres start(PostgresSettings settings) {
    return start(settings, OrdinaryUser.find());
  }

  static EmbeddedPostgres start(PostgresSettings settings, OrdinaryUser user) {
    var lock = DirectoryLock.take(settings.directory());
    try {
      user.mayPass(settings.directory());
      var home = new UnpackBinaries(BinaryCache.find(settings.directory(), user)).unpack();
      new EndStalePostmaster(home, user).end(settings.cluster());
      new InitCluster(home, user).initUnlessThere(settings);
      var server = new EmbeddedPostgres(settings, lock, new StartPostmaster(home, user));
      server.firstStart();
      return server;
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /** The JDBC URL of the server that another process of ours runs in this directory. */
  public static Optional<String> findRunning(Path directory) {
    var cluster = PostgresSettings.durable(directory, 0).cluster();
    return PidFile.read(cluster)
        .filter(PidFile::isReady)
        .filter(
            file ->
                ProcessHandle.of(file.pid())
                    .filter(process -> EndStalePostmaster.isPostmasterOf(process, cluster))
                    .isPresent())
        .map(file -> url(file.port(), DATABASE));
  }

  private void firstStart() {
    for (var attempt = 1; postmaster == null; attempt++) {
      port = settings.port() == 0 ? FreePort.find() : settings.port();
      try {
        start();
      } catch (PostgresFailedException e) {
        if (settings.port() != 0 || attempt == PORTS_TRIED) {
          throw e;
        }
      }
    }
    createDatabase();
  }

  private void createDatabase() {
    try (var connection = DriverManager.getConnection(jdbcUrl("postgres"), USERNAME, "");
        var statement = connection.createStatement()) {
      var there =
          statement
              .executeQuery("select from pg_database where datname = '" + DATABASE + "'")
              .next();
      if (!there) {
        statement.execute("create database " + DATABASE);
      }
    } catch (SQLException e) {
      stop();
      throw new PostgresFailedException("PostgreSQL started, but does not answer.", e);
    }
  }

  /** Starts a stopped or crashed server again, on the same port. */
  public synchronized void start() {
    if (!isRunning()) {
      postmaster = startPostmaster.start(settings, port);
    }
  }

  /** Stops it in an orderly way; it can be started again. */
  public synchronized void stop() {
    if (postmaster != null) {
      postmaster.stop();
    }
  }

  /** Kills every process of the server; it can be started again. */
  public synchronized void crash() {
    running().crash();
  }

  /** Stops and starts it on the same port. */
  public synchronized void restart() {
    stop();
    start();
  }

  public synchronized boolean isRunning() {
    return postmaster != null && postmaster.isAlive();
  }

  /** The postmaster's process id. */
  public synchronized long pid() {
    return running().pid();
  }

  public int port() {
    return port;
  }

  public String jdbcUrl() {
    return jdbcUrl(DATABASE);
  }

  /** The address of another database of this server. */
  public String jdbcUrl(String database) {
    return url(port, database);
  }

  private static String url(int port, String database) {
    return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, database);
  }

  /** Ends the server for good. A disposable one takes its directory with it. */
  @Override
  public synchronized void close() {
    if (settings.keeping() == PostgresSettings.Keeping.DURABLE) {
      stop();
      lock.close();
      return;
    }
    if (postmaster != null) {
      postmaster.abandon();
    }
    lock.close();
    deleteDirectory();
  }

  private void deleteDirectory() {
    try {
      if (Files.exists(settings.directory())) {
        DeleteTree.delete(settings.directory());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Postmaster running() {
    if (postmaster == null) {
      throw new IllegalStateException("PostgreSQL is not running");
    }
    return postmaster;
  }

  /** Where the server's own log is. */
  public Path log() {
    return settings.log();
  }
}
