package dev.coatcheck.db.event;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.time.Pause;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one ear of a process: a thread that LISTENs on a connection of its own and tells its
 * listeners. It must reach PostgreSQL directly or through a session-mode proxy. After a reconnect
 * every listener is told of a gap, since it may have missed anything.
 */
public final class ListenHub implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ListenHub.class);

  /** How often a quiet connection is tried, so that a dead one is noticed. */
  static final Duration PROBE = Duration.ofSeconds(1);

  private static final Duration RECONNECT_PAUSE = Duration.ofMillis(250);

  /** A break so short cost nobody a lease: the shortest is 3 s, and renewed each third of it. */
  static final Duration NO_BREAK = Duration.ofMillis(1_500);

  /** How long a probe may take before the connection counts as dead. */
  private static final int PROBE_TIMEOUT_SECONDS = 2;

  private final Connector connector;
  private final Pause pause;
  private final Map<Channel, List<Listener>> listeners = new ConcurrentHashMap<>();
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean connected;
  private volatile long connectedSince;
  private long lastSeen;

  public ListenHub(Connector connector, Pause pause) {
    this.connector = connector;
    this.pause = pause;
    this.thread = Thread.ofPlatform().name("coatcheck-listen").daemon().unstarted(this::run);
  }

  /** What is told of a channel's notifications. Called on the hub's thread: return at once. */
  public interface Listener {
    /** These jobs were named. */
    void heard(Collection<JobId> jobs);

    /** Notifications may have been missed: look for yourself. */
    void gap();
  }

  /** Tells the listener from now on, until the returned handle is closed. */
  public AutoCloseable subscribe(Channel channel, Listener listener) {
    List<Listener> ears = listeners.computeIfAbsent(channel, c -> new CopyOnWriteArrayList<>());
    ears.add(listener);
    return () -> ears.remove(listener);
  }

  public void start() {
    thread.start();
  }

  /** Whether the database answered within the last {@link #PROBE} or so. */
  public boolean isConnected() {
    return connected;
  }

  /**
   * How long the database has been seen without a break; zero while it is away. That a session was
   * ended, and the next one was there at once, is none.
   */
  public Duration connectedFor() {
    return connected ? Duration.ofNanos(System.nanoTime() - connectedSince) : Duration.ZERO;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  private void run() {
    while (!closed) {
      try (Connection connection = connector.open()) {
        listen(connection);
      } catch (SQLException e) {
        if (connected && !closed) {
          log.warn("the database is away, listening again as soon as it is back");
        }
      } finally {
        connected = false;
      }
      rest();
    }
  }

  private void listen(Connection connection) throws SQLException {
    try (var statement = connection.createStatement()) {
      for (Channel channel : Channel.values()) {
        statement.execute("listen " + channel.sqlName());
      }
    }
    see();
    listeners.values().forEach(ears -> ears.forEach(ear -> alone(ear::gap)));
    var source = connection.unwrap(PGConnection.class);
    while (!closed) {
      PGNotification[] heard = source.getNotifications((int) PROBE.toMillis());
      if (heard.length == 0) {
        if (!connection.isValid(PROBE_TIMEOUT_SECONDS)) {
          throw new SQLException("the listening connection is dead");
        }
        // What arrived beside the probe's answer lies in the driver already, where a wait misses
        // it.
        heard = source.getNotifications();
      }
      lastSeen = System.nanoTime();
      tell(heard);
    }
  }

  private void see() {
    long now = System.nanoTime();
    if (connectedSince == 0 || now - lastSeen > NO_BREAK.toNanos()) {
      connectedSince = now;
    }
    lastSeen = now;
    connected = true;
  }

  private void tell(PGNotification[] notifications) {
    var byChannel = new EnumMap<Channel, Set<JobId>>(Channel.class);
    for (PGNotification notification : notifications) {
      for (Channel channel : Channel.values()) {
        if (channel.sqlName().equals(notification.getName())) {
          Set<JobId> ids = byChannel.computeIfAbsent(channel, c -> new LinkedHashSet<>());
          Arrays.stream(notification.getParameter().split(","))
              .map(JobId::parse)
              .flatMap(Optional::stream)
              .forEach(ids::add);
        }
      }
    }
    byChannel.forEach(
        (channel, ids) ->
            listeners.getOrDefault(channel, List.of()).forEach(ear -> alone(() -> ear.heard(ids))));
  }

  /** What one listener fails with is not to make the others deaf. */
  private static void alone(Runnable listener) {
    try {
      listener.run();
    } catch (Throwable e) {
      log.warn("a listener failed", e);
    }
  }

  private void rest() {
    try {
      if (!closed) {
        pause.pause(RECONNECT_PAUSE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      closed = true;
    }
  }
}
