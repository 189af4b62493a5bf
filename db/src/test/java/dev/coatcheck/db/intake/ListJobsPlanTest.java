package dev.coatcheck.db.intake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.fixture.DatabasePerClass;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** With many jobs, whatever is asked is found by an index, and little else is looked at. */
class ListJobsPlanTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE = DatabasePerClass.of(Migrated.TEMPLATE);

  private static final int JOBS = 60_000;
  private static final TenantId ACME = new TenantId("acme");
  private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
  private static final Pattern REMOVED = Pattern.compile("Rows Removed by Filter: ([0-9]+)");

  /** Rows looked at in vain. */
  private static final int MOST_IN_VAIN = 2_000;

  /** A job a minute; the oldest alone have a rare status, model or order. */
  @BeforeAll
  static void fill() {
    JdbcClient sql = JdbcClient.create(DATABASE.dataSource());
    sql.sql(
            """
            insert into job (id, tenant_id, idempotency_key, fingerprint, status, model, provider,
              provider_model, metadata_hashes, max_attempts, max_turns, attempt_timeout_ms, max_wait_ms,
              dispatch_id, created_at, deadline_at, ended_at)
            select id, case when n % 3 = 0 then 'other' else 'acme' end, n::text, '',
              case when n < 100 then 'failed' else 'completed' end,
              case when n < 100 then 'rare' else 'usual' end, 'openai', 'm',
              array[:usual, case when n < 100 then :rare else n end], 4, 8, 300000, 600000,
              id, at, at, at
            from (
              select n, cast(:first as timestamptz) + n * interval '1 minute' as at,
                (lpad(to_hex(extract(epoch from cast(:first as timestamptz))::bigint * 1000
                  + n * 60000), 12, '0') || '70008000' || lpad(to_hex(n), 12, '0'))::uuid as id
              from generate_series(1::bigint, :jobs) as n) as made
            """)
        .param("usual", MetadataHash.of("team", "a"))
        .param("rare", MetadataHash.of("order", "1"))
        .param("first", FIRST.toString())
        .param("jobs", JOBS)
        .update();
    sql.sql("vacuum analyze job").update();
  }

  static JobFilter[] filters() {
    JobFilter all = filter(Optional.empty(), Optional.empty(), Map.of());
    Instant middle = FIRST.plusSeconds(30_000 * 60);
    return new JobFilter[] {
      all,
      filter(Optional.of(JobStatus.COMPLETED), Optional.empty(), Map.of()),
      filter(Optional.of(JobStatus.FAILED), Optional.empty(), Map.of()),
      filter(Optional.of(JobStatus.IN_PROGRESS), Optional.empty(), Map.of()),
      filter(Optional.empty(), Optional.of("usual"), Map.of()),
      filter(Optional.empty(), Optional.of("rare"), Map.of()),
      filter(Optional.empty(), Optional.of("none"), Map.of()),
      filter(Optional.empty(), Optional.empty(), Map.of("team", "a")),
      filter(Optional.empty(), Optional.empty(), Map.of("order", "1")),
      filter(Optional.empty(), Optional.empty(), Map.of("order", "none")),
      filter(Optional.of(JobStatus.FAILED), Optional.of("rare"), Map.of("team", "a")),
      new JobFilter(
          20,
          Optional.of(new JobId(new UUID(FIRST.plusSeconds(600_000).toEpochMilli() << 16, 0))),
          Optional.empty(),
          Optional.empty(),
          Map.of(),
          Optional.empty(),
          Optional.empty()),
      times(Optional.of(middle), Optional.empty()),
      times(Optional.empty(), Optional.of(middle)),
      times(Optional.of(middle), Optional.of(middle.plusSeconds(3_600)))
    };
  }

  @ParameterizedTest
  @MethodSource("filters")
  void no_filter_leads_to_a_sequential_scan(JobFilter filter) {
    JdbcClient sql = JdbcClient.create(DATABASE.dataSource());
    String plan =
        String.join(
            "\n",
            ListJobs.bind(sql.sql("explain (analyze, costs off) " + ListJobs.SQL), ACME, filter)
                .query((row, number) -> row.getString(1))
                .list());

    assertThat(plan).doesNotContain("Seq Scan on job", "Seq Scan on attempt").contains("Index");
    assertThat(REMOVED.matcher(plan).results().mapToInt(r -> Integer.parseInt(r.group(1))).sum())
        .as(plan)
        .isLessThan(MOST_IN_VAIN);
  }

  /** The planner takes a pair that it has not seen often for one in 200, and read all jobs. */
  @ParameterizedTest
  @CsvSource({
    "order, 1, 20, job_metadata",
    "order, none, 0, job_metadata",
    "team, a, 20, job_list"
  })
  void a_pair_of_metadata_is_found_however_rare_and_old_its_jobs_are(
      String name, String value, int found) {
    JdbcClient sql = JdbcClient.create(DATABASE.dataSource());
    var transaction = new TransactionTemplate(new JdbcTransactionManager(DATABASE.dataSource()));
    JobFilter filter = filter(Optional.empty(), Optional.empty(), Map.of(name, value));
    try (var inTime = new InTime(Executors.newVirtualThreadPerTaskExecutor())) {
      var list = new ListJobs(new WebDatabase(sql, transaction, Probe.inert()), inTime);

      assertThat(list.list(ACME, filter))
          .isInstanceOfSatisfying(
              JobPage.Found.class, page -> assertThat(page.jobs()).hasSize(found));
    }
  }

  @Test
  void a_rare_pair_of_metadata_is_found_by_its_own_index() {
    JdbcClient sql = JdbcClient.create(DATABASE.dataSource());
    var transaction = new TransactionTemplate(new JdbcTransactionManager(DATABASE.dataSource()));
    JobFilter filter = filter(Optional.empty(), Optional.empty(), Map.of("order", "1"));

    String plan =
        transaction.execute(
            status -> {
              sql.sql("set local enable_indexscan = off").update();
              return String.join(
                  "\n",
                  ListJobs.bind(sql.sql("explain " + ListJobs.SQL), ACME, filter)
                      .query((row, number) -> row.getString(1))
                      .list());
            });
    assertThat(plan).contains("Bitmap Index Scan on job_metadata");
  }

  private static JobFilter filter(
      Optional<JobStatus> status, Optional<String> model, Map<String, String> metadata) {
    return new JobFilter(
        20, Optional.empty(), status, model, metadata, Optional.empty(), Optional.empty());
  }

  private static JobFilter times(Optional<Instant> after, Optional<Instant> before) {
    return new JobFilter(
        20, Optional.empty(), Optional.empty(), Optional.empty(), Map.of(), after, before);
  }
}
