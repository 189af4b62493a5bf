package dev.coatcheck.chaos;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.springframework.dao.DataAccessException;

/** Looks at the cluster several times a second, and keeps what it saw for the checks. */
final class Watch implements AutoCloseable {
  private static final long EACH_MS = 200;

  /** A reaper first acts when it has seen the database for so long. */
  private static final Duration PATIENCE = Cluster.LEASE.dividedBy(2);

  /** Sessions of a process that was faulty a moment ago may be what is left of that. */
  private static final Duration AFTERMATH = Duration.ofSeconds(6);

  private static final String HELD =
      """
      select application_name || ': ' || query from pg_stat_activity
      where application_name like 'coatcheck%' and state = 'idle in transaction'
        and state_change < clock_timestamp() - interval '2 seconds'
      """;

  private final Cluster cluster;
  private final Queue<Sample> samples = new ConcurrentLinkedQueue<>();
  private final Queue<String> held = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean closed;
  private long troubled = System.nanoTime();
  private long away = System.nanoTime();

  /**
   * One look.
   *
   * @param able workers that could take over
   * @param faulty workers that something was done to
   */
  record Sample(Instant at, int able, int faulty, boolean databaseAway) {}

  Watch(Cluster cluster) {
    this.cluster = cluster;
    this.thread = Thread.ofPlatform().name("watch").daemon().start(this::run);
  }

  private void run() {
    while (!closed) {
      var sample = look();
      samples.add(sample);
      if (sample.faulty > 0
          || sample.databaseAway
          || cluster.apps().stream().anyMatch(Member::isFaulty)) {
        troubled = System.nanoTime();
      } else if (System.nanoTime() - troubled > AFTERMATH.toNanos()) {
        lookForHeld();
      }
      Cluster.rest(EACH_MS);
    }
  }

  private Sample look() {
    if (cluster.isDatabaseAway()) {
      away = System.nanoTime();
    }
    boolean isSeen = System.nanoTime() - away > PATIENCE.toNanos();
    int able = 0;
    int faulty = 0;
    for (var worker : cluster.workers()) {
      faulty += worker.isFaulty() ? 1 : 0;
      able += isSeen && !worker.isFaulty() && worker.isUpFor(PATIENCE) ? 1 : 0;
    }
    return new Sample(Instant.now(), able, faulty, cluster.isDatabaseAway());
  }

  private void lookForHeld() {
    try {
      cluster
          .sql()
          .sql(HELD)
          .query(String.class)
          .list()
          .forEach(session -> held.add(Instant.now() + " " + session));
    } catch (DataAccessException away) {
      // Nobody holds anything of it.
    }
  }

  /** Transactions of healthy processes that waited for something other than SQL. */
  List<String> held() {
    return List.copyOf(held);
  }

  int looks() {
    return samples.size();
  }

  /** How much of a time there was a worker that could have taken over. */
  Duration withAnAbleWorker(Instant from, Instant to) {
    Duration lost = Duration.ZERO;
    for (var sample : samples) {
      if (sample.able == 0 && sample.at.isAfter(from) && sample.at.isBefore(to)) {
        lost = lost.plusMillis(EACH_MS);
      }
    }
    return Duration.between(from, to).minus(lost);
  }

  /** The times in which one worker at most was faulty, and the database never. */
  List<Calm> calms() {
    var found = new ArrayList<Calm>();
    Instant since = null;
    Instant last = null;
    for (var sample : samples) {
      boolean calm = sample.faulty <= 1 && !sample.databaseAway;
      if (calm && since == null) {
        since = sample.at;
      } else if (!calm && since != null) {
        found.add(new Calm(since, sample.at));
        since = null;
      }
      last = sample.at;
    }
    if (since != null && last != null) {
      found.add(new Calm(since, last));
    }
    return found;
  }

  /** From one instant to another. */
  record Calm(Instant from, Instant to) {}

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
