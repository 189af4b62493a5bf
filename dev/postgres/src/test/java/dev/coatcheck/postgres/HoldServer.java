package dev.coatcheck.postgres;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A JVM of its own that holds a server until it is killed. */
final class HoldServer {
  private HoldServer() {}

  public static void main(String[] arguments) throws InterruptedException {
    var directory = Path.of(arguments[1]);
    var settings =
        arguments[0].equals("durable")
            ? PostgresSettings.durable(directory, 0)
            : PostgresSettings.disposable(directory);
    try (var server = EmbeddedPostgres.start(settings)) {
      System.out.println(server.pid() + " " + server.port());
      new CountDownLatch(1).await();
    } catch (PostgresFailedException e) {
      System.out.println(e.getMessage());
    }
  }
}
