package dev.coatcheck.db.call;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.lease.Fenced;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.lease.Written;
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

  /**
   * Makes the call this run's, to be sent for the nth time. A call that runs under an older epoch
   * is taken over: whether that is safe is for the caller to know. The job's row is locked against
   * a cancel at the same moment, which would otherwise answer before this claim is seen.
   *
   * @param send which one: so a claim repeated after a lost answer counts once
   */
  @Fenced
  public Written claim(Lease lease, EffectKey.Place call, Send send) {
    int rows =
        database
            .sql()
            .sql(
                """
                with mine as (
                  update job set events = events + 1
                  where id = :job and tenant_id = :tenant and epoch = :epoch and status = 'in_progress'
                    and exists (
                      select from tool_call
                      where tool_call.job_id = job.id and tool_call.tenant_id = job.tenant_id
                        and tool_call.turn = :turn and tool_call.ordinal = :ordinal
                        and tool_call.sends = :send - 1
                        and tool_call.state in ('pending', 'running'))
                  returning id, tenant_id, events),
                told as (
                  insert into event (job_id, number, tenant_id, type, data)
                  select mine.id, mine.events, mine.tenant_id, 'tool.started',
                    event_of_call(tool_call, 'running')
                  from mine
                  join tool_call on tool_call.job_id = mine.id and tool_call.tenant_id = mine.tenant_id
                    and tool_call.turn = :turn and tool_call.ordinal = :ordinal)
                update tool_call
                set state = 'running', epoch = :epoch, sends = :send,
                    reply_lost = reply_lost or :reply_lost or (state = 'running' and epoch < :epoch),
                    started_at = coalesce(started_at, now()),
                    wake_at = null, reason_code = null, reason_detail = null
                from mine
                where tool_call.job_id = mine.id and tool_call.tenant_id = mine.tenant_id
                  and tool_call.turn = :turn and tool_call.ordinal = :ordinal
                  and tool_call.sends = :send - 1 and tool_call.state in ('pending', 'running')
                """)
            .paramSource(parameters(lease, call, send))
            .update();
    if (rows == 1) {
      notifier.send(Channel.CHANGED, lease.job());
    }
    return rows == 1 || isClaimed(lease, call, send) ? Written.YES : Written.LEASE_LOST;
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

  private boolean isClaimed(Lease lease, EffectKey.Place call, Send send) {
    return database
        .sql()
        .sql(
            """
            select count(*) from tool_call
            join job on job.id = tool_call.job_id and job.tenant_id = tool_call.tenant_id
            where job.id = :job and job.tenant_id = :tenant and job.epoch = :epoch
              and job.status = 'in_progress' and tool_call.turn = :turn
              and tool_call.ordinal = :ordinal and tool_call.state = 'running'
              and tool_call.epoch = :epoch and tool_call.sends = :send
            """)
        .paramSource(parameters(lease, call, send))
        .query(Boolean.class)
        .single();
  }
}
