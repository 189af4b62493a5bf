package dev.coatcheck.db.intake;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.tenant.TenantId;
import java.util.List;
import java.util.Optional;

/** Reads one job of a tenant. */
public final class FindJob {
  /** Attempts shown; the newest ones. */
  static final int MAX_ATTEMPTS = 200;

  /** Tool calls shown; the newest ones. */
  static final int MAX_CALLS = 1_000;

  /** Bytes of arguments and results shown; those of older calls are left out. */
  static final int MAX_CONTENT = 32 << 20;

  private static final String JOB =
      Row.COLUMNS
          + """
            , (select count(*) from tool_call c where c.job_id = j.id and c.tenant_id = :tenant) as calls_total,
            case when j.status in ('completed', 'incomplete') then
              (select t.message from turn t where t.job_id = j.id and t.tenant_id = :tenant
               order by t.number desc limit 1) end as message
          from job j
          """
          + Row.ATTEMPTS
          + "where j.tenant_id = :tenant and j.id = :id";

  private final WebDatabase database;
  private final InTime inTime;

  FindJob(WebDatabase database, InTime inTime) {
    this.database = database;
    this.inTime = inTime;
  }

  /**
   * The job, if it is the tenant's.
   *
   * @throws DatabaseAway when nothing could be read
   */
  public Optional<JobView> find(TenantId tenant, JobId id) {
    return inTime.get(
        () -> job(tenant, id).map(job -> withCalls(tenant, withAttempts(tenant, job))));
  }

  /**
   * Where the job stands, if it is the tenant's.
   *
   * @throws DatabaseAway when nothing could be read
   */
  public Optional<JobStatus> status(TenantId tenant, JobId id) {
    return inTime.get(
        () ->
            database
                .sql()
                .sql("select status from job where tenant_id = :tenant and id = :id")
                .param("tenant", tenant.value())
                .param("id", id.value())
                .query((row, number) -> JobStatus.of(row.getString("status")))
                .optional());
  }

  private Optional<JobView> job(TenantId tenant, JobId id) {
    return database
        .sql()
        .sql(JOB)
        .param("tenant", tenant.value())
        .param("id", id.value())
        .query(Row::job)
        .optional();
  }

  /** After the job, so that the attempts of an ended job are read as they ended. */
  private JobView withAttempts(TenantId tenant, JobView job) {
    if (job.attemptsTotal() == 0) {
      return job;
    }
    String sql =
        """
        select * from (
          select number, turn, state, sent_at, ended_at, http_status, error_code,
            retry_after_ms, wait_until, billed, provider_request_id
          from attempt where job_id = :id and tenant_id = :tenant
          order by number desc limit :most) as newest
        order by number
        """;
    List<AttemptView> attempts =
        database
            .sql()
            .sql(sql)
            .param("tenant", tenant.value())
            .param("id", job.id().value())
            .param("most", MAX_ATTEMPTS)
            .query(Row::attempt)
            .list();
    return job.withAttempts(attempts);
  }

  private JobView withCalls(TenantId tenant, JobView job) {
    if (job.callsTotal() == 0) {
      return job;
    }
    String sql =
        """
        select id, turn, name, safety, state, effect_key, started_at, ended_at, error, result_kind,
          case when shown <= :most_bytes then arguments else '\\x7b7d'::bytea end as arguments,
          case when shown <= :most_bytes then result end as result
        from (
          select *, sum(octet_length(arguments) + coalesce(octet_length(result), 0))
            over (order by turn desc, ordinal desc) as shown
          from tool_call where job_id = :id and tenant_id = :tenant
          order by turn desc, ordinal desc limit :most) as newest
        order by turn, ordinal
        """;
    return job.withToolCalls(
        database
            .sql()
            .sql(sql)
            .param("tenant", tenant.value())
            .param("id", job.id().value())
            .param("most_bytes", MAX_CONTENT)
            .param("most", MAX_CALLS)
            .query(ToolCallView::read)
            .list());
  }
}
