package dev.coatcheck.chaos.inside;

import dev.coatcheck.db.probe.Checkpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads a file for what to do: {@code halt POINT} and {@code stop POINT} at a checkpoint, {@code
 * clock MILLISECONDS} at once, {@code none} to forget it. What was carried out is written beside
 * it, before it happens.
 */
final class Orders {
  private static final long LOOK_MS = 50;
  private static final int KILLED = 137;

  private final Path file;
  private final Path done;
  private final AtomicReference<@Nullable Order> standing = new AtomicReference<>();
  private volatile Duration jump = Duration.ZERO;
  private String last = "";

  private record Order(String act, Checkpoint point) {}

  private Orders(Path file) {
    this.file = file;
    this.done = file.resolveSibling(file.getFileName() + ".done");
  }

  static Orders from(Path file) {
    var orders = new Orders(file);
    orders.look();
    Thread.ofPlatform().name("chaos-orders").daemon().start(orders::watch);
    return orders;
  }

  /** How far our clock is ahead of the machine's. */
  Duration jump() {
    return jump;
  }

  private void watch() {
    while (true) {
      try {
        Thread.sleep(LOOK_MS);
      } catch (InterruptedException e) {
        return;
      }
      look();
    }
  }

  private void look() {
    try {
      var text = Files.readString(file).strip();
      if (!text.equals(last)) {
        last = text;
        take(text.split(" "));
      }
    } catch (NoSuchFileException e) {
      // Nobody has ordered anything yet.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void take(String[] words) {
    switch (words[0]) {
      case "clock" -> jump = Duration.ofMillis(Long.parseLong(words[1]));
      case "halt", "stop" -> standing.set(new Order(words[0], Checkpoint.valueOf(words[1])));
      default -> standing.set(null);
    }
  }

  /** Somebody came to that point. */
  void reached(Checkpoint point) {
    var order = standing.get();
    if (order != null && order.point == point && standing.compareAndSet(order, null)) {
      write(order);
      if (order.act.equals("halt")) {
        Runtime.getRuntime().halt(KILLED);
      } else {
        stopOurselves();
      }
    }
  }

  private void write(Order order) {
    try {
      Files.writeString(
          done, order.point + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void stopOurselves() {
    var pid = String.valueOf(ProcessHandle.current().pid());
    try {
      int code = new ProcessBuilder("kill", "-s", "STOP", pid).start().waitFor();
      if (code != 0) {
        throw new IllegalStateException("kill ended with " + code);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
