package dev.coatcheck.db.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coatcheck.fixture.DatabasePerClass;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PoolTest {
  @RegisterExtension static final DatabasePerClass DATABASE = DatabasePerClass.empty();

  private static final Duration SECOND = Duration.ofSeconds(1);

  @BeforeEach
  void shut() throws SQLException {
    run("create role pool_test superuser password 'x' nologin");
  }

  @AfterEach
  void drop() throws SQLException {
    run("drop role pool_test");
  }

  private static void run(String sql) throws SQLException {
    try (var connection = DATABASE.dataSource().getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Found by the harness: half a second from its database a worker had no connection at all. */
  @Test
  void a_connection_that_answers_after_seconds_is_not_taken_for_dead() {
    try (var pool = EnginePool.of(DATABASE.get())) {
      assertThat(pool.getValidationTimeout()).isEqualTo(3_000);
    }
  }

  /** Found by the chaos harness: the start broke off when the database went after the migration. */
  @Test
  void a_pool_waits_for_a_database_that_is_away_at_its_start() throws Exception {
    var first = CompletableFuture.supplyAsync(PoolTest::connect);
    assertThatThrownBy(() -> first.get(500, TimeUnit.MILLISECONDS))
        .isInstanceOf(TimeoutException.class);
    run("alter role pool_test login");
    assertThat(first.get(30, TimeUnit.SECONDS)).isTrue();
  }

  private static boolean connect() {
    var address = new DatabaseAddress(DATABASE.get().jdbcUrl(), "pool_test", "x");
    var limits = new Pool.Limits(SECOND, SECOND, SECOND);
    try (var pool = Pool.open("test", 1, new Schema(address), limits);
        var connection = pool.getConnection()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
