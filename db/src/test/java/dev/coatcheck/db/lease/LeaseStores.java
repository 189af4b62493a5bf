package dev.coatcheck.db.lease;

import com.zaxxer.hikari.HikariDataSource;
import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.attempt.AttemptEnd;
import dev.coatcheck.db.attempt.TokenUsage;
import dev.coatcheck.db.dispatch.Dispatch;
import dev.coatcheck.db.dispatch.DispatchStorage;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.dispatch.Slots;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.step.EndCalls;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.time.Ids;
import dev.coatcheck.fixture.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.utils.mapper.JsonMapperFactory;
import org.jspecify.annotations.Nullable;

/** The stores of a worker over a test's database, and jobs made by hand. */
final class LeaseStores implements AutoCloseable {
  static final Duration LEASE = Duration.ofSeconds(30);
  static final int MAX_DEATHS = 5;

  final WorkerId worker = new WorkerId(UUID.fromString("00000000-0000-7000-8000-000000000001"));
  final HikariDataSource pool;
  final EngineDatabase database;
  final Dispatches dispatches;
  final AcquireJob acquire;
  final AttemptLedger attempts;
  final LeaveJob leave;
  final AppendEvents append;
  final AppendDeltas deltas;
  final RenewLeases renew;
  final ReapLeases reap;
  final ExpireJobs expire;
  final ReconcileDispatches reconcile;
  final DoubtLostCalls doubt;
  final Notifier notifier;
  private final Ids ids = Ids.system();

  LeaseStores(TestDatabase testDatabase) {
    this(testDatabase, Migrated.pool(testDatabase, 4));
  }

  LeaseStores(TestDatabase testDatabase, HikariDataSource pool) {
    this.pool = pool;
    this.database = Migrated.engine(pool);
    this.notifier = Migrated.notifier(testDatabase);
    var storage =
        new DispatchStorage(
            pool,
            new JobMapper(JsonMapperFactory.createJsonMapper()),
            Slots.none(),
            InstantSource.system());
    this.dispatches = new Dispatches(storage, notifier);
    this.acquire =
        new AcquireJob(
            database, dispatches, notifier, new AcquireJob.Terms(worker, LEASE, Set.of("gated")));
    this.attempts = new AttemptLedger(database, notifier);
    this.leave = new LeaveJob(database, dispatches, notifier);
    this.append = new AppendEvents(database, notifier);
    this.deltas = new AppendDeltas(database, notifier);
    this.renew = new RenewLeases(database, LEASE);
    this.reap = new ReapLeases(database, dispatches, notifier, MAX_DEATHS);
    this.expire = new ExpireJobs(database, notifier);
    this.reconcile = new ReconcileDispatches(database, dispatches);
    this.doubt = new DoubtLostCalls(database);
  }

  /** A queued job with its first dispatch, due within half an hour. */
  JobId queued() {
    var id = new JobId(ids.next());
    database
        .transaction()
        .executeWithoutResult(
            status -> {
              insert(id);
              dispatches.create(new Dispatch(id, 1, "m", "key-" + id, TenantId.DEFAULT, "openai"));
            });
    return id;
  }

  private void insert(JobId id) {
    database
        .sql()
        .sql(
            """
            with new_job as (
              insert into job (id, tenant_id, idempotency_key, fingerprint, status, model, provider,
                provider_model, max_attempts, max_turns, attempt_timeout_ms, max_wait_ms, dispatch_id,
                deadline_at)
              values (:id, 'default', 'key-' || :id, '', 'queued', 'm', 'openai', 'm', 4, 8, 300000,
                600000, :id, now() + interval '30 minutes'))
            insert into job_request (job_id, tenant_id, body) values (:id, 'default', :body)
            """)
        .param("id", id.value())
        .param("body", "{\"prompt\":\"hi\"}".getBytes(StandardCharsets.UTF_8))
        .update();
  }

  /** The job, acquired on that dispatch. */
  LeasedJob acquired(JobId job, int dispatch) {
    return switch (acquire.acquire(job, dispatch)) {
      case Acquisition.Acquired(LeasedJob leased) -> leased;
      case Acquisition.NotOurs _ -> throw new AssertionError("the job was not to be had");
    };
  }

  LeasedJob acquired() {
    return acquired(queued(), 1);
  }

  Map<String, @Nullable Object> row(JobId job) {
    return database
        .sql()
        .sql("select * from job where id = :id")
        .param("id", job.value())
        .query()
        .singleRow();
  }

  Map<String, @Nullable Object> attempt(JobId job, int number) {
    return database
        .sql()
        .sql("select * from attempt where job_id = :id and number = :number")
        .param("id", job.value())
        .param("number", number)
        .query()
        .singleRow();
  }

  /** Each as its number, type and data. */
  List<String> events(JobId job) {
    return database
        .sql()
        .sql(
            """
            select number || ' ' || type || ' ' || data from event
            where job_id = :id and tenant_id = 'default' order by number
            """)
        .param("id", job.value())
        .query((row, index) -> row.getString(1))
        .list();
  }

  /** All rows of all tables. */
  Map<String, List<String>> everything() {
    List<String> tables =
        database
            .sql()
            .sql(
                "select tablename from pg_tables where schemaname = 'public' and tablename <> 'flyway_schema_history'")
            .query((row, number) -> row.getString(1))
            .list();
    var rows = new TreeMap<String, List<String>>();
    Function<String, List<String>> read =
        table ->
            database
                .sql()
                .sql("select row_to_json(row)::text from " + table + " as row order by 1")
                .query((row, number) -> row.getString(1))
                .list();
    tables.forEach(table -> rows.put(table, read.apply(table)));
    return rows;
  }

  /** Somebody else has the job since, and brought it and its calls into that state. */
  void move(JobId id, JobStatus status) {
    boolean runs = status == JobStatus.IN_PROGRESS;
    set(
        id,
        "epoch = epoch + 1, status = '%s', lease_owner = %s, lease_expires_at = %s, ended_at = %s"
            .formatted(
                status.text(),
                runs ? "lease_owner" : "null",
                runs ? "lease_expires_at" : "null",
                status.isOpen() ? "null" : "now()"));
    if (!status.isOpen()) {
      EndCalls.of(database.sql(), id);
    }
  }

  void set(JobId job, String assignment) {
    database
        .sql()
        .sql("update job set " + assignment + " where id = :id")
        .param("id", job.value())
        .update();
  }

  @Nullable String dispatchState(JobId job, int number) {
    return database
        .sql()
        .sql("select state from jobrunr_jobs where id = :id")
        .param("id", Dispatch.idOf(job, number).toString())
        .query(String.class)
        .optional()
        .orElse(null);
  }

  static Departure completed() {
    return new Departure.Ended(JobStatus.COMPLETED, "stop", null);
  }

  static AttemptEnd refused(int number) {
    return new AttemptEnd(
        number,
        "refused",
        AttemptEnd.Counts.YES,
        new AttemptEnd.Cause("rate_limited", "rate_limit_exceeded", Duration.ofSeconds(3)),
        "no",
        new AttemptEnd.Receipt(429, "req_1", 17, Duration.ofMillis(250)),
        null);
  }

  static AttemptEnd answered(int number) {
    return new AttemptEnd(
        number,
        "answered",
        AttemptEnd.Counts.YES,
        null,
        "yes",
        new AttemptEnd.Receipt(200, "req_2", 321, Duration.ofSeconds(2)),
        new TokenUsage(3L, 0L, null, 5L, 0L, new byte[] {'{', '}'}));
  }

  @Override
  public void close() {
    notifier.close();
    pool.close();
  }

  /** Sessions that wait for a lock now. */
  int blocked() {
    return database
        .sql()
        .sql(
            """
            select count(*) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'
            """)
        .query((row, index) -> row.getInt(1))
        .single();
  }
}
