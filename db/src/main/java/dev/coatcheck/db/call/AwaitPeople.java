package dev.coatcheck.db.call;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.lease.Fenced;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.pool.EngineDatabase;
import java.util.Objects;
import org.springframework.transaction.TransactionStatus;

/** Ends a run because only people can go on: the lease is given back, and nothing is held. */
public final class AwaitPeople {
  private final EngineDatabase database;
  private final Notifier notifier;

  public AwaitPeople(EngineDatabase database, Notifier notifier) {
    this.database = database;
    this.notifier = notifier;
  }

  /** How it came out. */
  public enum Result {
    /** The job waits, from this call or from an earlier one whose answer was lost. */
    WAITS,
    /** Meanwhile somebody decided, and the run has something to do. */
    GO_ON,
    /** Somebody else writes now, or the job has ended. */
    LEASE_LOST
  }

  /** Whoever decides locks the job's row too, so that no decision falls between the two. */
  @Fenced
  public Result leave(Lease lease) {
    Result result =
        Objects.requireNonNull(
            database.transaction().execute(status -> inTransaction(lease, status)));
    if (result == Result.WAITS) {
      notifier.send(Channel.CHANGED, lease.job());
    }
    return result;
  }

  private Result inTransaction(Lease lease, TransactionStatus status) {
    if (!isHeld(lease)) {
      return hasMoved(lease) ? Result.WAITS : Result.LEASE_LOST;
    }
    Left left = left(lease);
    if (left.runnable > 0 || left.forPeople == 0) {
      status.setRollbackOnly();
      return Result.GO_ON;
    }
    move(lease, left);
    return Result.WAITS;
  }

  private boolean isHeld(Lease lease) {
    return database
        .sql()
        .sql(
            """
            select true from job
            where id = :job and tenant_id = :tenant and epoch = :epoch and status = 'in_progress'
            for no key update
            """)
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .param("epoch", lease.epoch().value())
        .query(Boolean.class)
        .optional()
        .isPresent();
  }

  private record Left(int runnable, int forPeople, String reason, String names) {}

  private Left left(Lease lease) {
    return database
        .sql()
        .sql(Waiting.SQL)
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .query(
            (row, index) ->
                new Left(
                    row.getInt("runnable") + row.getInt("later"),
                    row.getInt("for_people"),
                    row.getString("reason_code"),
                    row.getString("names")))
        .single();
  }

  private void move(Lease lease, Left left) {
    database
        .sql()
        .sql(
            """
            with moved as (
              update job
              set status = 'requires_action', lease_owner = null, lease_expires_at = null,
                  wake_at = null, reason_code = :reason, reason_detail = left(:names, :most),
                  events = events + 1
              where id = :job and tenant_id = :tenant and epoch = :epoch and status = 'in_progress'
              returning id, tenant_id, events, reason_code, deadline_at)
            insert into event (job_id, number, tenant_id, type, data)
            select id, events, tenant_id, 'job.requires_action',
              event_of_status('requires_action', reason_code, deadline_at)
            from moved
            """)
        .param("reason", left.reason)
        .param("names", left.names)
        .param("most", Waiting.MAX_NAMES)
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .param("epoch", lease.epoch().value())
        .update();
  }

  private boolean hasMoved(Lease lease) {
    return database
        .sql()
        .sql(
            """
            select count(*) from job
            where id = :job and tenant_id = :tenant and epoch = :epoch and status = 'requires_action'
            """)
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .param("epoch", lease.epoch().value())
        .query(Boolean.class)
        .single();
  }
}
