package dev.coatcheck.db.erase;

import dev.coatcheck.db.job.JobId;
import java.util.Collection;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Erases what was asked, answered, handed to tools and said by providers. The ledger stays: ids,
 * times, codes of ours, usage. Statements of the caller's transaction, which holds the jobs' locks.
 */
public final class EraseContent {
  private final JdbcClient sql;

  public EraseContent(JdbcClient sql) {
    this.sql = sql;
  }

  /** Erases the content of these jobs, all of them ended. */
  public void erase(Collection<JobId> jobs) {
    String ids = jobs.stream().map(JobId::toString).collect(Collectors.joining(","));
    mark(ids);
    eraseBodies(ids);
    eraseTraces(ids);
  }

  private void mark(String ids) {
    sql.sql(
            """
            update job
            set erased_at = now(), reason_detail = null, upstream_code = null,
                error_message = case when error_message is not null then 'erased' end
            where id = any (string_to_array(:jobs, ',')::uuid[])
              and ended_at is not null and erased_at is null
            """)
        .param("jobs", ids)
        .update();
  }

  private void eraseBodies(String ids) {
    sql.sql(
            """
            with erased as (
              select id, tenant_id from job
              where id = any (string_to_array(:jobs, ',')::uuid[]) and erased_at is not null),
            requests as (
              delete from job_request using erased
              where job_request.job_id = erased.id and job_request.tenant_id = erased.tenant_id)
            update turn set message = null
            from erased where turn.job_id = erased.id and turn.tenant_id = erased.tenant_id
            """)
        .param("jobs", ids)
        .update();
  }

  /** A provider's own code and usage object may hold whatever it likes. */
  private void eraseTraces(String ids) {
    sql.sql(
            """
            with erased as (
              select id, tenant_id from job
              where id = any (string_to_array(:jobs, ',')::uuid[]) and erased_at is not null),
            attempts as (
              update attempt set provider_code = null, usage_json = null
              from erased
              where attempt.job_id = erased.id and attempt.tenant_id = erased.tenant_id
                and (provider_code is not null or usage_json is not null)),
            calls as (
              update tool_call
              set arguments = convert_to('null', 'UTF8'), result = null, result_kind = null,
                  error = null, reason_detail = null
              from erased
              where tool_call.job_id = erased.id and tool_call.tenant_id = erased.tenant_id)
            update event set data = '{}'
            from erased
            where event.job_id = erased.id and event.tenant_id = erased.tenant_id
              and type not like 'job.%' and type not like 'attempt.%'
            """)
        .param("jobs", ids)
        .update();
  }
}
