package dev.coatcheck.db.call;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.lease.ClaimFenced;
import dev.coatcheck.db.lease.Fenced;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.lease.Texts;
import dev.coatcheck.db.lease.Written;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.step.EndCalls;
import dev.coatcheck.db.tool.CallState;
import dev.coatcheck.db.tool.EffectKey;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * Records what became of a claimed call. The epoch that counts is the one it was claimed under: a
 * tool that runs while its job is cancelled, expires or is reaped still records what it did.
 */
public final class RecordCall {
  private final EngineDatabase database;
  private final WakeJob wake;
  private final Notifier notifier;

  public RecordCall(EngineDatabase database, WakeJob wake, Notifier notifier) {
    this.database = database;
    this.wake = wake;
    this.notifier = notifier;
  }

  /**
   * Done twice it is done once. {@link Written#LEASE_LOST} if another run has claimed the call.
   * Nothing is written into a job that was erased.
   */
  @ClaimFenced
  public Written end(Lease lease, EffectKey.Place call, CallEnd end) {
    CallParameters parameters = parameters(lease, call, end);
    boolean isWritten =
        write(parameters.with("from", CallState.RUNNING.text()))
            || writeAfterEnd(parameters)
            || is(parameters, state(end));
    if (isWritten) {
      notifier.send(Channel.CHANGED, lease.job());
      return Written.YES;
    }
    return end instanceof CallEnd.InDoubt ? Written.LEASE_LOST : clearDoubt(lease, parameters);
  }

  /** Into an open job, which is told of it. */
  private boolean write(CallParameters parameters) {
    return database
            .sql()
            .sql(
                """
                with open as (
                  select id, tenant_id from job
                  where id = :job and tenant_id = :tenant and ended_at is null
                  for no key update),
                written as (
                  update tool_call
                  set state = :state, result = :result, result_kind = :result_kind, error = :error,
                      ended_at = case when :state <> 'in_doubt' then now() end
                  from open
                  where tool_call.job_id = open.id and tool_call.tenant_id = open.tenant_id
                    and tool_call.turn = :turn and tool_call.ordinal = :ordinal
                    and tool_call.state = :from and tool_call.epoch = :epoch
                  returning open.id, open.tenant_id, event_of_call(tool_call, :state) as shown),
                told as (
                  update job
                  set events = events + 1, deaths = case when epoch = :epoch then 0 else deaths end
                  from written
                  where job.id = written.id and job.tenant_id = written.tenant_id
                  returning job.id, job.tenant_id, job.events, written.shown)
                insert into event (job_id, number, tenant_id, type, data)
                select id, events, tenant_id, 'tool.ended', shown from told
                """)
            .paramSource(parameters)
            .update()
        == 1;
  }

  /** Into a job that has ended meanwhile: its row and its events stay as they are. */
  private boolean writeAfterEnd(CallParameters parameters) {
    return database
            .sql()
            .sql(
                """
                with kept as (
                  select id, tenant_id from job
                  where id = :job and tenant_id = :tenant and ended_at is not null
                    and erased_at is null
                  for share)
                update tool_call
                set state = :state, result = :result, result_kind = :result_kind, error = :error,
                    ended_at = case when :state <> 'in_doubt' then now() end
                from kept
                where tool_call.job_id = kept.id and tool_call.tenant_id = kept.tenant_id
                  and tool_call.turn = :turn and tool_call.ordinal = :ordinal
                  and tool_call.state in ('running', 'in_doubt') and tool_call.epoch = :epoch
                """)
            .paramSource(parameters)
            .update()
        == 1;
  }

  private boolean is(CallParameters parameters, CallState state) {
    return database
        .sql()
        .sql(
            """
            select count(*) from tool_call
            where job_id = :job and tenant_id = :tenant and turn = :turn and ordinal = :ordinal
              and state = :is and epoch = :epoch
            """)
        .paramSource(parameters.with("is", state.text()))
        .query(Boolean.class)
        .single();
  }

  /** Another run has found the call half done and waits for people, who need not act any more. */
  private Written clearDoubt(Lease lease, CallParameters parameters) {
    parameters.with("from", CallState.IN_DOUBT.text());
    return wake.after(lease.job(), lease.tenant(), () -> write(parameters))
        ? Written.YES
        : Written.LEASE_LOST;
  }

  /**
   * Says that a call of a run that was lost may have had its effect: nobody runs it again by
   * itself. The call stays that run's, which may still say how it came out, and may have done so by
   * now: then there is no doubt.
   */
  @Fenced
  public Written doubt(Lease lease, EffectKey.Place call, String why) {
    CallParameters parameters = new CallParameters(lease, call).with("error", Texts.storable(why));
    int rows =
        database
            .sql()
            .sql(
                """
                with mine as (
                  select id, tenant_id from job
                  where id = :job and tenant_id = :tenant and epoch = :epoch and status = 'in_progress'
                  for no key update),
                doubted as (
                  update tool_call set state = 'in_doubt', error = :error
                  from mine
                  where tool_call.job_id = mine.id and tool_call.tenant_id = mine.tenant_id
                    and tool_call.turn = :turn and tool_call.ordinal = :ordinal
                    and tool_call.state = 'running' and tool_call.epoch <= :epoch
                  returning mine.id, mine.tenant_id, event_of_call(tool_call, 'in_doubt') as shown),
                told as (
                  update job set events = events + 1
                  from doubted
                  where job.id = doubted.id and job.tenant_id = doubted.tenant_id
                  returning job.id, job.tenant_id, job.events, doubted.shown)
                insert into event (job_id, number, tenant_id, type, data)
                select id, events, tenant_id, 'tool.ended', shown from told
                """)
            .paramSource(parameters)
            .update();
    if (rows == 1) {
      notifier.send(Channel.CHANGED, lease.job());
    }
    return rows == 1 || isHeld(parameters) ? Written.YES : Written.LEASE_LOST;
  }

  private boolean isHeld(CallParameters parameters) {
    return database
        .sql()
        .sql(
            """
            select count(*) from job
            where id = :job and tenant_id = :tenant and epoch = :epoch and status = 'in_progress'
            """)
        .paramSource(parameters)
        .query(Boolean.class)
        .single();
  }

  /**
   * Why a call is put off.
   *
   * @param code {@code status_reason.code} of the API
   * @param sends how many sendings of it count
   */
  public record Wait(Duration length, String code, String detail, ClaimCall.Send sends) {}

  /**
   * Puts a claimed call off: it is sent again later, by whichever run, if its job is still open.
   */
  @ClaimFenced
  public Written postpone(Lease lease, EffectKey.Place call, Wait wait) {
    CallParameters parameters =
        new CallParameters(lease, call)
            .with("wait_ms", wait.length().toMillis())
            .with("code", wait.code())
            .with("detail", Texts.storable(wait.detail()))
            .with("sends", wait.sends().number())
            .with("reply_lost", wait.sends().earlier() == ClaimCall.Earlier.REPLY_LOST);
    boolean isWritten =
        Objects.requireNonNull(
            database.transaction().execute(_ -> putOff(lease.job(), parameters)));
    return isWritten
            || is(parameters, CallState.PENDING)
            || is(parameters, CallState.NOT_RUN)
            || is(parameters, CallState.IN_DOUBT)
        ? Written.YES
        : Written.LEASE_LOST;
  }

  private boolean putOff(JobId job, CallParameters parameters) {
    Optional<Boolean> isOver =
        database
            .sql()
            .sql(
                """
                with kept as (
                  select id, tenant_id, ended_at is not null as is_over from job
                  where id = :job and tenant_id = :tenant for share)
                update tool_call
                set state = 'pending', wake_at = now() + :wait_ms * interval '1 millisecond',
                    reason_code = :code, reason_detail = :detail, sends = :sends,
                    reply_lost = reply_lost or :reply_lost
                from kept
                where tool_call.job_id = kept.id and tool_call.tenant_id = kept.tenant_id
                  and tool_call.turn = :turn and tool_call.ordinal = :ordinal
                  and tool_call.state = 'running' and tool_call.epoch = :epoch
                returning kept.is_over
                """)
            .paramSource(parameters)
            .query(Boolean.class)
            .optional();
    if (isOver.orElse(false)) {
      EndCalls.of(database.sql(), job);
    }
    return isOver.isPresent();
  }

  /** Says that a pending call cannot be run; nothing was sent. */
  @Fenced
  public Written refuse(Lease lease, EffectKey.Place call, String error) {
    CallParameters parameters = parameters(lease, call, new CallEnd.Failed(error));
    int rows =
        database
            .sql()
            .sql(
                """
                with mine as (
                  select id, tenant_id from job
                  where id = :job and tenant_id = :tenant and epoch = :epoch and status = 'in_progress'
                  for share)
                update tool_call
                set state = 'failed', error = :error, epoch = :epoch, ended_at = now()
                from mine
                where tool_call.job_id = mine.id and tool_call.tenant_id = mine.tenant_id
                  and tool_call.turn = :turn and tool_call.ordinal = :ordinal
                  and tool_call.state = 'pending'
                """)
            .paramSource(parameters)
            .update();
    return rows == 1 || is(parameters, CallState.FAILED) ? Written.YES : Written.LEASE_LOST;
  }

  private static CallParameters parameters(Lease lease, EffectKey.Place call, CallEnd end) {
    CallResult result = end instanceof CallEnd.Done(CallResult brought) ? brought : null;
    byte[] bytes = result == null ? null : result.bytes().orElse(null);
    String error =
        switch (end) {
          case CallEnd.Done _ -> null;
          case CallEnd.Failed failed -> failed.error();
          case CallEnd.InDoubt doubt -> doubt.why();
        };
    return new CallParameters(lease, call)
        .with("state", state(end).text())
        .with("result", bytes)
        .with("result_kind", result == null || bytes == null ? null : result.kind().column())
        .with("error", Texts.storable(error));
  }

  private static CallState state(CallEnd end) {
    return switch (end) {
      case CallEnd.Done _ -> CallState.DONE;
      case CallEnd.Failed _ -> CallState.FAILED;
      case CallEnd.InDoubt _ -> CallState.IN_DOUBT;
    };
  }
}
