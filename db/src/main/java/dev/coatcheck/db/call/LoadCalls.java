package dev.coatcheck.db.call;

import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.tool.CallState;
import dev.coatcheck.db.tool.EffectKey;
import dev.coatcheck.db.tool.ToolSafety;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the calls of a turn that are not finished. */
public final class LoadCalls {
  private final EngineDatabase database;

  public LoadCalls(EngineDatabase database) {
    this.database = database;
  }

  /** In the order of the turn. */
  public List<ToolCallRow> open(Lease lease, int turn) {
    return database
        .sql()
        .sql(
            """
            select ordinal, name, arguments, effect_key, safety, state, coalesce(epoch, 0) as epoch,
              sends, reply_lost,
              coalesce(ceil(extract(epoch from wake_at - now()) * 1000), 0)::bigint as until_wake_ms,
              coalesce(reason_code, 'backoff') as reason_code,
              coalesce(reason_detail, '') as reason_detail
            from tool_call
            where job_id = :job and tenant_id = :tenant and turn = :turn
              and state not in ('done', 'failed', 'denied', 'not_run')
            order by ordinal
            """)
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .param("turn", turn)
        .query((row, index) -> read(lease, turn, row))
        .list();
  }

  private static ToolCallRow read(Lease lease, int turn, ResultSet row) throws SQLException {
    String safety = row.getString("safety");
    return new ToolCallRow(
        new EffectKey.Place(lease.job(), turn, row.getInt("ordinal")),
        row.getString("name"),
        row.getBytes("arguments"),
        new EffectKey(row.getString("effect_key")),
        safety == null ? null : ToolSafety.of(safety).orElse(null),
        new ToolCallRow.Progress(
            CallState.of(row.getString("state")),
            row.getLong("epoch"),
            row.getInt("sends"),
            row.getBoolean("reply_lost"),
            wait(row)));
  }

  private static ToolCallRow.@Nullable Wait wait(ResultSet row) throws SQLException {
    long millis = row.getLong("until_wake_ms");
    return millis <= 0
        ? null
        : new ToolCallRow.Wait(
            Duration.ofMillis(millis),
            row.getString("reason_code"),
            row.getString("reason_detail"));
  }
}
