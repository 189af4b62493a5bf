package dev.coatcheck.db.call;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.lease.Fenced;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.tool.EffectKey;

/** Claims a call for a run, before it is sent. */
public final class ClaimCall {
  private final EngineDatabase database;
  private final Notifier notifier;

  public ClaimCall(EngineDatabase database, Notifier notifier) {
    this.database = database;
    this.notifier = notifier;
  }

  /** How it came out. */
  public enum Result {
    /** It is this run's, by this claim or by an earlier one whose answer was lost. */
    CLAIMED,
    /** The job is still this run's, but the call is not as it was: to be looked at again. */
    MOVED_ON,
    /** Somebody else writes now, or the job has ended. */
    LEASE_LOST
  }

  /**
   * Makes the call this run's, to be sent for the nth time. A call that runs under an older epoch
   * is taken over: whether that is safe is for the caller to know. The job's row is locked against
   * a cancel at the same moment, which would otherwise answer before this claim is seen, and first,
   * so that a run which records this call at the same moment is seen as well.
   *
   * @param send which one: so a claim repeated after a lost answer counts once
   */
  @Fenced
  public Result claim(Lease lease, EffectKey.Place call, Send send) {
    int rows =
        database
            .sql()
            .sql(
                """
                with mine as (
                  select id, tenant_id from job
                  where id = :job and tenant_id = :tenant and epoch = :epoch and status = 'in_progress'
                  for no key update),
                claimed as (
                  update tool_call
                  set state = 'running', epoch = :epoch, sends = :send,
                      reply_lost = reply_lost or :reply_lost or (state = 'running' and epoch < :epoch),
                      started_at = coalesce(started_at, now()),
                      wake_at = null, reason_code = null, reason_detail = null
                  from mine
                  where tool_call.job_id = mine.id and tool_call.tenant_id = mine.tenant_id
                    and tool_call.turn = :turn and tool_call.ordinal = :ordinal
                    and tool_call.sends = :send - 1 and tool_call.state in ('pending', 'running')
                  returning mine.id, mine.tenant_id, event_of_call(tool_call, 'running') as shown),
                told as (
                  update job set events = events + 1
                  from claimed
                  where job.id = claimed.id and job.tenant_id = claimed.tenant_id
                  returning job.id, job.tenant_id, job.events, claimed.shown)
                insert into event (job_id, number, tenant_id, type, data)
                select id, events, tenant_id, 'tool.started', shown from told
                """)
            .paramSource(parameters(lease, call, send))
            .update();
    if (rows == 1) {
      notifier.send(Channel.CHANGED, lease.job());
      return Result.CLAIMED;
    }
    return look(lease, call, send);
  }

  /**
   * One sending of a call.
   *
   * @param number from 1
   * @param earlier what is known of the ones before
   */
  public record Send(int number, Earlier earlier) {}

  /** Whether an earlier sending may have had its effect. */
  public enum Earlier {
    ALL_ANSWERED,
    REPLY_LOST
  }

  private static CallParameters parameters(Lease lease, EffectKey.Place call, Send send) {
    return new CallParameters(lease, call)
        .with("send", send.number())
        .with("reply_lost", send.earlier() == Earlier.REPLY_LOST);
  }

  private Result look(Lease lease, EffectKey.Place call, Send send) {
    return database
        .sql()
        .sql(
            """
            select tool_call.state = 'running' and tool_call.epoch = :epoch
              and tool_call.sends = :send as is_claimed
            from tool_call
            join job on job.id = tool_call.job_id and job.tenant_id = tool_call.tenant_id
            where job.id = :job and job.tenant_id = :tenant and job.epoch = :epoch
              and job.status = 'in_progress' and tool_call.turn = :turn
              and tool_call.ordinal = :ordinal
            """)
        .paramSource(parameters(lease, call, send))
        .query((row, index) -> row.getBoolean("is_claimed") ? Result.CLAIMED : Result.MOVED_ON)
        .optional()
        .orElse(Result.LEASE_LOST);
  }
}
