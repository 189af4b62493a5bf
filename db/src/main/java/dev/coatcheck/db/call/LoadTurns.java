package dev.coatcheck.db.call;

import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.tool.CallState;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a model is to go on from: the recorded turns of a job and what came of their calls. No
 * more of the results is read than may be sent.
 */
public final class LoadTurns {
  /** Bytes of one result that go to a model. */
  public static final int MAX_RESULT = 1 << 20;

  /** Bytes of all results of a job that go to a model; the newest count first. */
  public static final int MAX_RESULTS = 4 << 20;

  private final EngineDatabase database;

  public LoadTurns(EngineDatabase database) {
    this.database = database;
  }

  /**
   * A recorded turn.
   *
   * @param message the assistant message as it was recorded
   */
  public record Turn(int number, byte[] message, List<Finished> calls) {
    public Turn {
      calls = List.copyOf(calls);
    }
  }

  /**
   * What came of a call.
   *
   * @param result the first {@link #MAX_RESULT} bytes of it; none if it is empty or was left out
   * @param bytes how long result or error is
   * @param error what the model is told instead of a result; none if that was left out
   */
  public record Finished(
      String providerId,
      String name,
      CallState state,
      byte @Nullable [] result,
      int bytes,
      @Nullable String error) {}

  /** Oldest first. */
  public List<Turn> load(Lease lease) {
    Map<Integer, List<Finished>> calls = calls(lease);
    return database
        .sql()
        .sql(
            """
            select number, message from turn where job_id = :job and tenant_id = :tenant
            order by number
            """)
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .query(
            (row, index) ->
                new Turn(
                    row.getInt("number"),
                    row.getBytes("message"),
                    calls.getOrDefault(row.getInt("number"), List.of())))
        .list();
  }

  private Map<Integer, List<Finished>> calls(Lease lease) {
    var calls = new TreeMap<Integer, List<Finished>>();
    database
        .sql()
        .sql(
            """
            select turn, provider_call_id, name, state, bytes,
              case when fits then error end as error,
              case when fits then substring(result for :most) end as result
            from (
              select *, sum(least(bytes, :most)) over (order by turn desc, ordinal desc)
                <= :most_of_all as fits
              from (
                select *, coalesce(octet_length(result), octet_length(error), 0) as bytes
                from tool_call where job_id = :job and tenant_id = :tenant) as measured) as counted
            order by turn, ordinal
            """)
        .param("most", MAX_RESULT)
        .param("most_of_all", MAX_RESULTS)
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .query(
            (row, index) ->
                calls
                    .computeIfAbsent(row.getInt("turn"), turn -> new ArrayList<>())
                    .add(finished(row)))
        .list();
    return calls;
  }

  private static Finished finished(ResultSet row) throws SQLException {
    byte[] id = row.getString("provider_call_id").getBytes(StandardCharsets.US_ASCII);
    return new Finished(
        RawJson.of(id).text(),
        row.getString("name"),
        CallState.of(row.getString("state")),
        row.getBytes("result"),
        row.getInt("bytes"),
        row.getString("error"));
  }
}
