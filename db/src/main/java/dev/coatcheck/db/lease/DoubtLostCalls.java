package dev.coatcheck.db.lease;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.tool.ToolDefinition;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * Says of tool calls that run longer than any may after their job's end that nobody knows what came
 * of them: their workers are gone. A worker that is not may still record what the call did.
 */
public final class DoubtLostCalls {
  /** Closed in one statement. */
  static final int BATCH = 100;

  /** After the job's end: the longest that a tool may take, and some time to record it. */
  static final Duration LEFT = ToolDefinition.LONGEST.plusMinutes(5);

  private static final String LOST =
      "The job ended while it ran, and the worker that ran it was lost";

  private final EngineDatabase database;

  public DoubtLostCalls(EngineDatabase database) {
    this.database = database;
  }

  /**
   * Closes up to {@link #BATCH} calls: in doubt, or failed where there is no effect to doubt.
   *
   * @return their jobs, which stay as they ended
   */
  public List<JobId> doubt() {
    return database
        .sql()
        .sql(
            """
            with lost as (
              select tool_call.job_id, tool_call.tenant_id, tool_call.turn, tool_call.ordinal,
                job.erased_at is not null as is_erased
              from tool_call
              join job on job.id = tool_call.job_id and job.tenant_id = tool_call.tenant_id
              where tool_call.state = 'running'
                and job.ended_at <= now() - :left_ms * interval '1 millisecond'
              limit :batch for update of tool_call skip locked)
            update tool_call
            set state = case when safety = 'read-only' then 'failed' else 'in_doubt' end,
                error = case when not lost.is_erased then :error end,
                ended_at = case when safety = 'read-only' then now() end
            from lost
            where tool_call.job_id = lost.job_id and tool_call.tenant_id = lost.tenant_id
              and tool_call.turn = lost.turn and tool_call.ordinal = lost.ordinal
            returning tool_call.job_id
            """)
        .param("left_ms", LEFT.toMillis())
        .param("batch", BATCH)
        .param("error", LOST)
        .query((row, index) -> new JobId(row.getObject(1, UUID.class)))
        .list();
  }
}
