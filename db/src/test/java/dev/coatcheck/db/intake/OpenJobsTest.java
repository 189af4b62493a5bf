package dev.coatcheck.db.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.fixture.DatabasePerClass;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class OpenJobsTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private static final TenantId ACME = new TenantId("acme");
  private static final int SUBMITS = 8;
  private static final long LIMIT = OpenJobLimit.EXACT + 1;

  private final HikariDataSource pool = impatientPool();
  private final AtomicLong nanos = new AtomicLong();
  private final OpenJobs openJobs =
      new OpenJobs(
          new WebDatabase(
              JdbcClient.create(pool),
              new TransactionTemplate(new JdbcTransactionManager(pool)),
              Probe.inert()),
          new OpenJobLimit(LIMIT),
          nanos::get);

  private static HikariDataSource impatientPool() {
    HikariDataSource pool = Migrated.pool(DATABASE.get(), SUBMITS + 1);
    pool.setConnectionInitSql("set lock_timeout = '5s'");
    return pool;
  }

  @AfterEach
  void close() {
    pool.close();
  }

  @Test
  void submits_go_on_with_an_old_count_while_one_of_them_counts_again() throws Exception {
    List<Boolean> full = submitWhileOneCounts(() -> assertThat(waiting()).isEqualTo(1));

    assertThat(full).hasSize(SUBMITS).containsOnly(false);
  }

  @Test
  void what_is_accepted_while_one_counts_is_not_forgotten() throws Exception {
    submitWhileOneCounts(
        () -> {
          for (int i = 0; i < LIMIT; i++) {
            openJobs.accepted(ACME);
          }
          assertThat(openJobs.isFull(ACME)).isTrue();
        });

    assertThat(openJobs.isFull(ACME)).isTrue();
  }

  /** What each of some submits at once was told. */
  private List<Boolean> submitWhileOneCounts(Runnable meanwhile) throws Exception {
    assertThat(openJobs.isFull(ACME)).isFalse();
    nanos.addAndGet(OpenJobs.FRESH.toNanos() + 1);
    List<Future<Boolean>> submits = new ArrayList<>();
    List<Boolean> full = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        Connection holder = DATABASE.dataSource().getConnection()) {
      holder.setAutoCommit(false);
      holder.createStatement().execute("lock table job in access exclusive mode");
      for (int i = 0; i < SUBMITS; i++) {
        submits.add(threads.submit(() -> openJobs.isFull(ACME)));
      }
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .until(() -> waiting() + done(submits) == SUBMITS);
      meanwhile.run();
      holder.rollback();
      for (Future<Boolean> submit : submits) {
        full.add(submit.get(10, TimeUnit.SECONDS));
      }
    }
    return full;
  }

  @Test
  void a_count_that_failed_is_made_again() {
    assertThat(openJobs.isFull(ACME)).isFalse();
    nanos.addAndGet(OpenJobs.FRESH.toNanos() + 1);
    JdbcClient sql = JdbcClient.create(DATABASE.dataSource());
    sql.sql("alter table job rename to lost").update();
    try {
      assertThatThrownBy(() -> openJobs.isFull(ACME)).isNotNull();
      assertThatThrownBy(() -> openJobs.isFull(ACME)).isNotNull();
    } finally {
      sql.sql("alter table lost rename to job").update();
    }
    assertThat(openJobs.isFull(ACME)).isFalse();
  }

  private static int done(List<Future<Boolean>> submits) {
    return Math.toIntExact(submits.stream().filter(Future::isDone).count());
  }

  private static int waiting() {
    return JdbcClient.create(DATABASE.dataSource())
        .sql(
            """
            select count(*) from pg_locks
            where relation = 'job'::regclass and not granted
              and database = (select oid from pg_database where datname = current_database())
            """)
        .query(Integer.class)
        .single();
  }
}
