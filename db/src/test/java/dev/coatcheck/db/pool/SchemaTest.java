package dev.coatcheck.db.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.fixture.DatabasePerClass;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class SchemaTest {
  @RegisterExtension static final DatabasePerClass DATABASE = DatabasePerClass.empty();

  /** Found by the chaos harness: the start broke off, and the process ended. */
  @Test
  void a_migration_whose_session_is_ended_is_begun_again() throws Exception {
    run(
        """
        create schema aside;
        create function aside.dawdle() returns event_trigger language plpgsql as $$ begin perform pg_sleep(0.05); end $$;
        create event trigger slow on ddl_command_start execute function aside.dawdle();
        """);
    var address = Migrated.address(DATABASE.get());
    var migration = CompletableFuture.supplyAsync(() -> Schema.migrate(address));
    Awaitility.await().pollInterval(10, TimeUnit.MILLISECONDS).until(SchemaTest::endsAMigration);
    assertThat(migration.get(60, TimeUnit.SECONDS).address()).isEqualTo(address);
    assertThat(number("select count(*) from job")).isZero();
  }

  private static boolean endsAMigration() throws SQLException {
    return number(
            """
            select count(*) filter (where pg_terminate_backend(pid)) from pg_stat_activity
            where datname = current_database() and query ilike '%create table%' and pid <> pg_backend_pid()
            """)
        > 0;
  }

  private static int number(String sql) throws SQLException {
    try (var connection = DATABASE.dataSource().getConnection();
        var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getInt(1);
    }
  }

  private static void run(String sql) throws SQLException {
    try (var connection = DATABASE.dataSource().getConnection();
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
