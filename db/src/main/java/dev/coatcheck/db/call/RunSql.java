package dev.coatcheck.db.call;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.EventType;
import dev.coatcheck.db.event.NewEvent;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.lease.AppendEvents;
import dev.coatcheck.db.lease.Fenced;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.tool.CallState;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.postgresql.util.PSQLException;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.InvalidDataAccessApiUsageException;
import org.springframework.transaction.TransactionStatus;

/** Runs a tool that is SQL: its effect and its record are one transaction, or neither is. */
public final class RunSql {
  /** Classes of SQLSTATE in which the database is away, not the statement wrong. */
  private static final Set<String> AWAY = Set.of("08", "53", "57", "58", "XX");

  private static final String TIMED_OUT = "57014";
  private static final String IN_THE_WAY = "55P03";
  private static final String ROLLED_BACK = "40";

  private final EngineDatabase database;
  private final ExecuteSql execute;
  private final AppendEvents events;
  private final Notifier notifier;
  private final Semaphore room;

  /**
   * @param atOnce statements of this process that may be under way, each with a connection
   */
  public RunSql(EngineDatabase database, DataSource pool, Notifier notifier, int atOnce) {
    this.database = database;
    this.execute = new ExecuteSql(database, pool);
    this.events = new AppendEvents(database, notifier);
    this.notifier = notifier;
    this.room = new Semaphore(atOnce);
  }

  /**
   * No call that is done is done again, and none is done for a job that is not ours any more: that
   * is looked at last, with the job's row locked against whoever would end it.
   */
  @Fenced
  public SqlOutcome run(Lease lease, ToolCallRow call, SqlTool tool) {
    SqlParameters parameters;
    try {
      parameters = new SqlParameters(lease, call.effectKey(), tool.arguments());
    } catch (IllegalArgumentException e) {
      return new SqlOutcome.Refused(String.valueOf(e.getMessage()));
    }
    if (!room.tryAcquire()) {
      return new SqlOutcome.NoRoom();
    }
    try {
      return run(lease, call, new Work(tool, parameters));
    } finally {
      room.release();
    }
  }

  private SqlOutcome run(Lease lease, ToolCallRow call, Work work) {
    SqlOutcome outcome = transaction(lease, call, work);
    switch (outcome) {
      case SqlOutcome.Done _ -> notifier.send(Channel.CHANGED, lease.job());
      case SqlOutcome.LeaseLost _ -> closeIfEnded(new CallParameters(lease, call.place()));
      case SqlOutcome.Refused _, SqlOutcome.Conflict _, SqlOutcome.Busy _, SqlOutcome.NoRoom _ -> {}
    }
    return outcome;
  }

  /** Who ended the job could not close this call while its row was ours. */
  private void closeIfEnded(CallParameters parameters) {
    database
        .sql()
        .sql(
            """
            update tool_call set state = 'not_run', ended_at = now()
            from job
            where job.id = :job and job.tenant_id = :tenant and job.ended_at is not null
              and tool_call.job_id = job.id and tool_call.tenant_id = job.tenant_id
              and tool_call.turn = :turn and tool_call.ordinal = :ordinal
              and tool_call.state = 'pending'
            """)
        .paramSource(parameters)
        .update();
  }

  private record Work(SqlTool tool, SqlParameters parameters) {}

  private SqlOutcome transaction(Lease lease, ToolCallRow call, Work work) {
    try {
      return database
          .probe()
          .write(
              Checkpoint.K10_RESULT_RECORDED,
              () ->
                  Objects.requireNonNull(
                      database
                          .transaction()
                          .execute(status -> inTransaction(lease, call, work, status))));
    } catch (IllegalArgumentException e) {
      return new SqlOutcome.Refused(String.valueOf(e.getMessage()));
    } catch (DataAccessException e) {
      return understand(e);
    }
  }

  private SqlOutcome inTransaction(
      Lease lease, ToolCallRow call, Work work, TransactionStatus status) {
    CallParameters parameters = new CallParameters(lease, call.place());
    if (!lockPending(parameters)) {
      return switch (state(parameters)) {
        case DONE -> new SqlOutcome.Done();
        case PENDING -> new SqlOutcome.Busy();
        case AWAITING_APPROVAL, AWAITING_OUTPUT, RUNNING, FAILED, DENIED, IN_DOUBT, NOT_RUN ->
            new SqlOutcome.LeaseLost();
      };
    }
    database.probe().reach(Checkpoint.K8_CLAIMED);
    CallResult result = execute.execute(work.tool(), work.parameters());
    database.probe().reach(Checkpoint.K9_EFFECT_DONE);
    record(parameters, result);
    if (!isStillOurs(lease, parameters)) {
      status.setRollbackOnly();
      return new SqlOutcome.LeaseLost();
    }
    return new SqlOutcome.Done();
  }

  private boolean lockPending(CallParameters parameters) {
    return database
        .sql()
        .sql(
            """
            select true from tool_call
            where job_id = :job and tenant_id = :tenant and turn = :turn and ordinal = :ordinal
              and state = 'pending'
            for update skip locked
            """)
        .paramSource(parameters)
        .query(Boolean.class)
        .optional()
        .isPresent();
  }

  private CallState state(CallParameters parameters) {
    return database
        .sql()
        .sql(
            """
            select state from tool_call
            where job_id = :job and tenant_id = :tenant and turn = :turn and ordinal = :ordinal
            """)
        .paramSource(parameters)
        .query((row, index) -> CallState.of(row.getString("state")))
        .single();
  }

  private void record(CallParameters parameters, CallResult result) {
    database
        .sql()
        .sql(
            """
            update tool_call
            set state = 'done', epoch = :epoch, sends = sends + 1, result = :result,
                result_kind = :result_kind, error = null, started_at = coalesce(started_at, now()),
                ended_at = clock_timestamp(), wake_at = null, reason_code = null, reason_detail = null
            where job_id = :job and tenant_id = :tenant and turn = :turn and ordinal = :ordinal
            """)
        .paramSource(
            parameters
                .with("result", result.bytes().orElse(null))
                .with("result_kind", result.kind().column()))
        .update();
  }

  /** Writes the job's row, and so locks it, under the epoch. */
  private boolean isStillOurs(Lease lease, CallParameters parameters) {
    List<NewEvent> news =
        database
            .sql()
            .sql(
                """
                select event_of_call(tool_call, 'running'), event_of_call(tool_call, 'done')
                from tool_call
                where job_id = :job and tenant_id = :tenant and turn = :turn and ordinal = :ordinal
                """)
            .paramSource(parameters)
            .query(
                (row, index) ->
                    List.of(
                        new NewEvent(EventType.TOOL_STARTED, row.getString(1)),
                        new NewEvent(EventType.TOOL_ENDED, row.getString(2))))
            .single();
    return events.append(lease, news).isPresent();
  }

  /**
   * @throws DataAccessException if the database is away: it is not known what was done
   */
  private static SqlOutcome understand(DataAccessException failure) {
    if (failure instanceof InvalidDataAccessApiUsageException) {
      return new SqlOutcome.Refused("the SQL cannot be read: " + failure.getMessage());
    }
    if (!(failure.getMostSpecificCause() instanceof SQLException sql)) {
      throw failure;
    }
    String state = sql.getSQLState() == null ? "" : sql.getSQLState();
    if (state.startsWith(ROLLED_BACK) || state.equals(IN_THE_WAY)) {
      return new SqlOutcome.Conflict(words(sql, state));
    }
    if (state.length() < 2 || (AWAY.contains(state.substring(0, 2)) && !state.equals(TIMED_OUT))) {
      throw failure;
    }
    return new SqlOutcome.Refused(words(sql, state));
  }

  /** The message alone: details quote rows. */
  private static String words(SQLException failure, String state) {
    String message =
        failure instanceof PSQLException server && server.getServerErrorMessage() != null
            ? server.getServerErrorMessage().getMessage()
            : failure.getMessage();
    return "SQLSTATE " + state + ": " + message;
  }
}
