package dev.coatcheck.db.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.call.SqlOutcome;
import dev.coatcheck.fixture.DatabasePerClass;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a tool that is SQL may take of time, memory and connections. */
@Timeout(60)
class RunSqlTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private static final Duration LONG = Duration.ofSeconds(30);

  private LeaseStores stores;
  private CallWrites calls;

  @BeforeEach
  void open() {
    var pool = Migrated.pool(DATABASE.get(), 2);
    pool.addDataSourceProperty("socketTimeout", "1");
    stores = new LeaseStores(DATABASE.get(), pool);
    calls = new CallWrites(stores);
  }

  @AfterEach
  void close() {
    stores.close();
  }

  private LeasedJob asking() {
    LeasedJob job = stores.acquired();
    calls.askPending(job);
    return job;
  }

  @Test
  void a_statement_that_takes_longer_than_the_pool_waits_is_not_cut_off() throws SQLException {
    assertThat(calls.runSql(asking(), "select pg_sleep(1.5)", LONG))
        .isInstanceOf(SqlOutcome.Done.class);
    try (var connection = stores.pool.getConnection()) {
      assertThat(connection.getNetworkTimeout()).isEqualTo(1_000);
    }
  }

  @Test
  void rows_that_are_more_than_is_kept_are_not_all_read() {
    stores.database.sql().sql("create sequence made").update();
    String rows = "select nextval('made'), repeat('x', 100000) from generate_series(1, 5000)";
    assertThat(calls.runSql(asking(), rows, LONG)).isInstanceOf(SqlOutcome.Refused.class);
    assertThat(stores.database.sql().sql("select last_value from made").query(Long.class).single())
        .isLessThan(300);
  }

  /** A fetch of rows takes less than the timeout, and all of them take ten times as long. */
  @Test
  void rows_that_trickle_do_not_outlast_the_timeout() {
    String rows = "select pg_sleep(0.005) from generate_series(1, 2000)";
    assertThat(calls.runSql(asking(), rows, Duration.ofSeconds(1)))
        .isInstanceOf(SqlOutcome.Refused.class);
  }

  @Test
  void statements_that_hang_leave_connections_to_those_who_renew_leases() throws Exception {
    LeasedJob first = asking();
    LeasedJob second = asking();
    String statement = "select pg_advisory_xact_lock(7)";
    CompletableFuture<SqlOutcome> hanging;
    try (var holder = DATABASE.dataSource().getConnection();
        var lock = holder.createStatement()) {
      lock.execute("select pg_advisory_lock(7)");
      hanging = CompletableFuture.supplyAsync(() -> calls.runSql(first, statement, LONG));
      Awaitility.await().atMost(LONG).until(this::isHanging);
      assertThat(calls.runSql(second, statement, LONG)).isInstanceOf(SqlOutcome.NoRoom.class);
      assertThat(stores.pool.getHikariPoolMXBean().getActiveConnections()).isEqualTo(1);
      assertThat(stores.renew.renew(List.of(first.lease(), second.lease())).renewed()).hasSize(2);
      lock.execute("select pg_advisory_unlock(7)");
    }
    assertThat(hanging.join()).isInstanceOf(SqlOutcome.Done.class);
    assertThat(calls.runSql(second, statement, LONG)).isInstanceOf(SqlOutcome.Done.class);
  }

  private boolean isHanging() {
    return stores
        .database
        .sql()
        .sql(
            """
            select count(*) > 0 from pg_stat_activity
            where datname = current_database() and wait_event = 'advisory'
            """)
        .query(Boolean.class)
        .single();
  }
}
