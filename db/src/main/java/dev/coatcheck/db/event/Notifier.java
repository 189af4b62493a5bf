package dev.coatcheck.db.event;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.time.Pause;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other processes what has happened, after its commit: a NOTIFY inside a transaction would
 * serialise the commits of the whole instance. One thread on a connection of its own sends what has
 * gathered, at most one statement per {@link #SPACING}. Notifications are hints; one that is lost
 * costs its receiver a poll.
 */
public final class Notifier implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Notifier.class);

  /** The least time between two statements. */
  static final Duration SPACING = Duration.ofMillis(2);

  /** Ids in one payload: 37 bytes each, and PostgreSQL takes less than 8,000 bytes. */
  static final int IDS_PER_PAYLOAD = 200;

  /** Ids that may gather for one channel while the database is away; past that they are dropped. */
  static final int MAX_GATHERED = 20_000;

  private static final Duration RECONNECT_PAUSE = Duration.ofMillis(500);

  private final Connector connector;
  private final Pause pause;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Channel, Set<JobId>> gathered = new EnumMap<>(Channel.class);
  private final Thread thread;
  private boolean closed;
  private @Nullable Connection connection;

  public Notifier(Connector connector, Pause pause) {
    this.connector = connector;
    this.pause = pause;
    this.thread = Thread.ofPlatform().name("coatcheck-notifier").daemon().start(this::run);
  }

  /** Sends the job's id on the channel soon. Call it after the commit. Never blocks for long. */
  public void send(Channel channel, JobId job) {
    lock.lock();
    try {
      Set<JobId> ids = gathered.computeIfAbsent(channel, c -> new LinkedHashSet<>());
      if (ids.size() < MAX_GATHERED && ids.add(job)) {
        changed.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Sends what has gathered, then stops. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signal();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(Duration.ofSeconds(2));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    try {
      for (List<Payload> payloads = next(); !payloads.isEmpty(); payloads = next()) {
        deliver(payloads);
        pause.pause(SPACING);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      disconnect();
    }
  }

  /** Waits for something to send; empty once closed and drained. */
  private List<Payload> next() throws InterruptedException {
    lock.lock();
    try {
      while (!closed && gathered.values().stream().allMatch(Set::isEmpty)) {
        changed.await();
      }
      var payloads = new ArrayList<Payload>();
      gathered.forEach((channel, ids) -> payloads.addAll(take(channel, ids)));
      return payloads;
    } finally {
      lock.unlock();
    }
  }

  private static List<Payload> take(Channel channel, Set<JobId> ids) {
    var payloads = new ArrayList<Payload>();
    var all = List.copyOf(ids);
    ids.clear();
    for (int from = 0; from < all.size(); from += IDS_PER_PAYLOAD) {
      var page = all.subList(from, Math.min(all.size(), from + IDS_PER_PAYLOAD));
      payloads.add(
          new Payload(
              channel, page.stream().map(JobId::toString).collect(Collectors.joining(","))));
    }
    return payloads;
  }

  private void deliver(List<Payload> payloads) throws InterruptedException {
    try {
      notify(payloads);
    } catch (SQLException | RuntimeException first) {
      disconnect();
      try {
        notify(payloads);
      } catch (SQLException | RuntimeException second) {
        disconnect();
        log.debug("notifications dropped, the database is away");
        pause.pause(RECONNECT_PAUSE);
      }
    }
  }

  private void notify(List<Payload> payloads) throws SQLException {
    String sql = "select pg_notify(n.channel, n.payload) from unnest(?, ?) as n(channel, payload)";
    Connection connection = connection();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(
          1,
          connection.createArrayOf(
              "text", payloads.stream().map(p -> p.channel.sqlName()).toArray()));
      statement.setArray(
          2, connection.createArrayOf("text", payloads.stream().map(p -> p.ids).toArray()));
      statement.execute();
    }
  }

  private Connection connection() throws SQLException {
    Connection current = connection;
    if (current == null) {
      current = connector.open();
      try (var statement = current.createStatement()) {
        statement.execute("set synchronous_commit = off");
      }
      connection = current;
    }
    return current;
  }

  private void disconnect() {
    Connection current = connection;
    connection = null;
    if (current != null) {
      try {
        current.close();
      } catch (SQLException e) {
        log.debug("closing a broken connection failed");
      }
    }
  }

  private record Payload(Channel channel, String ids) {}
}
