package dev.coatcheck.chaos.simulation;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets many histories happen at once, each of which waits for the database half of its time. */
final class Lanes {
  private Lanes() {}

  /** What makes one of them. */
  @FunctionalInterface
  interface Make<T> {
    History make(Lane lane, T of) throws SQLException;
  }

  /** All of them, in their order. */
  static <T> List<History> all(List<T> of, Make<T> make) throws Exception {
    int count = 2 * Runtime.getRuntime().availableProcessors();
    var next = new AtomicInteger();
    var histories = new ArrayList<History>();
    try (var threads = Executors.newFixedThreadPool(count)) {
      var lanes = new ArrayList<Callable<List<Numbered>>>();
      for (int i = 0; i < count; i++) {
        lanes.add(() -> lane(of, make, next));
      }
      var found = new ArrayList<Numbered>();
      for (Future<List<Numbered>> lane : threads.invokeAll(lanes)) {
        found.addAll(result(lane));
      }
      found.sort((one, other) -> Integer.compare(one.number, other.number));
      found.forEach(one -> histories.add(one.history));
    }
    return histories;
  }

  private record Numbered(int number, History history) {}

  private static <T> List<Numbered> lane(List<T> of, Make<T> make, AtomicInteger next)
      throws SQLException {
    var made = new ArrayList<Numbered>();
    try (var lane = new Lane()) {
      for (int i = next.getAndIncrement(); i < of.size(); i = next.getAndIncrement()) {
        made.add(new Numbered(i, make.make(lane, of.get(i))));
      }
    }
    return made;
  }

  private static List<Numbered> result(Future<List<Numbered>> lane) throws Exception {
    try {
      return lane.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a lane broke off", e.getCause());
    }
  }
}
