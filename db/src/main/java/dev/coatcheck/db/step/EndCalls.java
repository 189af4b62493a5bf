package dev.coatcheck.db.step;

import dev.coatcheck.db.job.JobId;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Closes the tool calls that jobs leave behind when they end, inside the transaction that ends
 * them. One that runs is left to record what it did, one in doubt stays in doubt, and one that was
 * to be sent again since its reply was lost comes to be. A call that is SQL and runs holds its row,
 * and waits for the job's: it is left out here, and finds the job ended.
 */
public final class EndCalls {
  private static final String UNKNOWN =
      "The job ended before it was sent again, and a reply had been lost";

  private EndCalls() {}

  public static void of(JdbcClient sql, JobId job) {
    of(sql, List.of(job));
  }

  public static void of(JdbcClient sql, Collection<JobId> jobs) {
    sql.sql(
            """
            with open as (
              select tool_call.job_id, tool_call.tenant_id, tool_call.turn, tool_call.ordinal,
                tool_call.reply_lost and tool_call.safety <> 'read-only' as is_unknown,
                job.erased_at is not null as is_erased
              from tool_call
              join job on job.id = tool_call.job_id and job.tenant_id = tool_call.tenant_id
              where job.id = any (string_to_array(:jobs, ',')::uuid[])
                and tool_call.state in ('pending', 'awaiting_approval', 'awaiting_output')
              for update of tool_call skip locked)
            update tool_call
            set state = case when open.is_unknown then 'in_doubt' else 'not_run' end,
                error = case when open.is_unknown and not open.is_erased then :unknown end,
                ended_at = case when open.is_unknown then null else now() end,
                wake_at = null, reason_code = null, reason_detail = null
            from open
            where tool_call.job_id = open.job_id and tool_call.tenant_id = open.tenant_id
              and tool_call.turn = open.turn and tool_call.ordinal = open.ordinal
            """)
        .param("unknown", UNKNOWN)
        .param("jobs", jobs.stream().map(JobId::toString).collect(Collectors.joining(",")))
        .update();
  }
}
