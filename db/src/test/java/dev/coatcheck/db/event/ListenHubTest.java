package dev.coatcheck.db.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.time.Pause;
import dev.coatcheck.fixture.DatabasePerClass;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** How long the database has been seen without a break, which is what the reaper goes by. */
class ListenHubTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private static final Duration A_WHILE = Duration.ofSeconds(1);

  private final AtomicInteger opened = new AtomicInteger();
  private final ListenHub hub = new ListenHub(this::open, Pause.REAL);
  private volatile boolean away;

  private Connection open() throws SQLException {
    if (away) {
      throw new SQLException("away");
    }
    var connection = Migrated.address(DATABASE.get()).open();
    opened.incrementAndGet();
    return connection;
  }

  @BeforeEach
  void see() {
    hub.start();
    Awaitility.await().until(() -> hub.connectedFor().compareTo(A_WHILE) > 0);
  }

  @AfterEach
  void close() {
    hub.close();
  }

  private static void endSessions() throws SQLException {
    try (var connection = DATABASE.dataSource().getConnection();
        var statement = connection.createStatement()) {
      statement.execute(
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'coatcheck'");
    }
  }

  /** Found by the chaos harness: each ended session cost the reaper half a lease. */
  @Test
  void a_session_that_was_ended_is_no_break_where_the_next_one_is_there_at_once()
      throws SQLException {
    endSessions();
    Awaitility.await().until(() -> opened.get() == 2 && hub.isConnected());
    assertThat(hub.connectedFor()).isGreaterThan(A_WHILE);
  }

  /** It ended the thread, and nobody was told of anything any more. */
  @Test
  void a_listener_that_fails_makes_nobody_deaf() throws SQLException {
    var heard = new AtomicInteger();
    hub.subscribe(
        Channel.CHANGED,
        new Ear(
            () -> {
              throw new StackOverflowError();
            }));
    hub.subscribe(Channel.CHANGED, new Ear(heard::incrementAndGet));
    for (int times = 1; times <= 2; times++) {
      notifyChanged();
      Awaitility.await().untilAtomic(heard, Matchers.equalTo(times));
    }
    endSessions();
    Awaitility.await().untilAtomic(heard, Matchers.equalTo(3));
  }

  /** Does the same whatever it is told. */
  private record Ear(Runnable act) implements ListenHub.Listener {
    @Override
    public void heard(Collection<JobId> jobs) {
      act.run();
    }

    @Override
    public void gap() {
      act.run();
    }
  }

  private static void notifyChanged() throws SQLException {
    try (var connection = DATABASE.dataSource().getConnection();
        var statement = connection.createStatement()) {
      statement.execute("notify " + Channel.CHANGED.sqlName());
    }
  }

  @Test
  void a_database_that_was_away_for_longer_is_seen_anew() throws SQLException {
    away = true;
    endSessions();
    Awaitility.await().until(() -> !hub.isConnected());
    assertThat(hub.connectedFor()).isZero();
    long gone = System.nanoTime();
    Awaitility.await().until(() -> System.nanoTime() - gone > ListenHub.NO_BREAK.toNanos());
    away = false;
    Awaitility.await().until(hub::isConnected);
    assertThat(hub.connectedFor()).isLessThan(A_WHILE);
  }
}
