package dev.coatcheck.chaos.simulation;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * The database as a simulation's processes see it: its clock is the schedule's, whoever takes a
 * connection may be overtaken first, and a process that dies loses its connections. A lock is not
 * waited for, since its holder does not move meanwhile.
 */
final class SimulatedDatabase extends AbstractDataSource implements AutoCloseable {
  /** Before the catalog, so that {@code now()} is ours. */
  private static final String OPTIONS = "-c search_path=sim,pg_catalog,public -c lock_timeout=5";

  private static final Simulant BETWEEN_HISTORIES = new Simulant("nobody");

  private static final String CONNECTION_IS_GONE = "08006";

  private final String url;
  private final Properties properties = new Properties();
  private final Deque<Connection> idle = new ArrayDeque<>();
  private final List<Connection> all = new ArrayList<>();
  private final JdbcClient clock;
  private long shown = -1;
  private @Nullable Schedule schedule;

  SimulatedDatabase(String url, String username, String password) throws SQLException {
    this.url = url;
    properties.setProperty("user", username);
    properties.setProperty("password", password);
    properties.setProperty("options", OPTIONS);
    this.clock = JdbcClient.create(new SingleConnectionDataSource(open(), true));
  }

  /** Belongs to this history from now on. */
  void attend(Schedule history) {
    schedule = history;
    shown = -1;
  }

  private Connection open() throws SQLException {
    Connection made = DriverManager.getConnection(url, properties);
    all.add(made);
    return made;
  }

  /** For looks at it from outside of the simulation. */
  JdbcClient outside() {
    showTime();
    return clock;
  }

  @Override
  public Connection getConnection() throws SQLException {
    Simulant borrower = BETWEEN_HISTORIES;
    if (schedule != null) {
      schedule.handOver();
      borrower = schedule.current().process();
    }
    showTime();
    Connection pooled = idle.poll();
    return new Lent(pooled == null ? open() : pooled, borrower).handle();
  }

  @Override
  public Connection getConnection(String username, String password) throws SQLException {
    return getConnection();
  }

  private void showTime() {
    long micros = schedule == null ? 1 : schedule.now() / 1_000 + 1;
    if (micros != shown) {
      shown = micros;
      long _ = clock.sql("select setval('sim.clock', ?)").param(micros).query(Long.class).single();
    }
  }

  /** A connection lent to a process. */
  private final class Lent implements Simulant.LeasedConnection {
    private final Connection target;
    private final Simulant borrower;
    private final Connection handle;
    private boolean over;

    Lent(Connection target, Simulant borrower) {
      this.target = target;
      this.borrower = borrower;
      this.handle =
          (Connection)
              Proxy.newProxyInstance(
                  Connection.class.getClassLoader(),
                  new Class<?>[] {Connection.class},
                  (proxy, method, arguments) ->
                      call(method.getName(), () -> method.invoke(target, arguments)));
      borrower.took(this);
    }

    @Override
    public Connection handle() {
      return handle;
    }

    private @Nullable Object call(String method, Call call) throws Throwable {
      if (method.equals("close")) {
        giveBack();
        return null;
      }
      if (over) {
        if (method.equals("isClosed")) {
          return true;
        }
        throw new SQLException("the connection is gone", CONNECTION_IS_GONE);
      }
      try {
        return call.now();
      } catch (InvocationTargetException e) {
        throw e.getCause() == null ? e : e.getCause();
      }
    }

    private void giveBack() throws SQLException {
      if (!over) {
        over = true;
        borrower.gaveBack(this);
        target.setAutoCommit(true);
        idle.push(target);
      }
    }

    @Override
    public void breakOff() {
      over = true;
      borrower.gaveBack(this);
      try {
        if (!target.getAutoCommit()) {
          target.rollback();
          target.setAutoCommit(true);
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      idle.push(target);
    }
  }

  @FunctionalInterface
  private interface Call {
    @Nullable Object now() throws ReflectiveOperationException;
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : all) {
      connection.close();
    }
  }
}
