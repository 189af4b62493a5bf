package dev.coatcheck.db.lease;

import dev.coatcheck.db.attempt.AttemptEnd;
import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.step.TurnRecord;

/**
 * Records a turn that asks for tools, with its calls, in one transaction: before any of them runs.
 * The job stays with its run.
 */
public final class RecordTurn {
  private final EngineDatabase database;
  private final RecordCalls calls;
  private final Notifier notifier;

  public RecordTurn(EngineDatabase database, Notifier notifier) {
    this.database = database;
    this.calls = new RecordCalls(database);
    this.notifier = notifier;
  }

  @Fenced
  public Written record(Lease lease, AttemptEnd attempt, TurnRecord turn) {
    Boolean recorded =
        database
            .transaction()
            .execute(
                status -> {
                  boolean isNew = write(lease, attempt, turn);
                  if (isNew) {
                    calls.insert(lease, turn);
                  }
                  return isNew || isRecorded(lease, turn);
                });
    if (!Boolean.TRUE.equals(recorded)) {
      return Written.LEASE_LOST;
    }
    notifier.send(Channel.CHANGED, lease.job());
    return Written.YES;
  }

  /** A job that makes a step has outlived its deaths. */
  private boolean write(Lease lease, AttemptEnd attempt, TurnRecord turn) {
    return database
            .sql()
            .sql(
                """
                with held as (
                  update job set deaths = 0, events = events + 1
                  where id = :job and tenant_id = :tenant and epoch = :epoch and status = 'in_progress'
                    and not exists (
                      select from turn
                      where turn.job_id = :job and turn.tenant_id = :tenant and turn.number = :turn)
                  returning id, tenant_id, events),
                closed as (
                  update attempt
                  set state = :state, counted = :counted, ended_at = now(), http_status = :http_status,
                      billed = :billed, provider_request_id = :request_id, response_bytes = :bytes,
                      duration_ms = :duration_ms, usage_input = :usage_input,
                      usage_input_cached = :usage_input_cached, usage_cache_write = :usage_cache_write,
                      usage_output = :usage_output, usage_reasoning = :usage_reasoning,
                      usage_json = :usage_json
                  from held
                  where attempt.job_id = held.id and attempt.tenant_id = held.tenant_id
                    and attempt.number = :number and attempt.epoch = :epoch
                  returning event_of_attempt(attempt) as shown),
                told as (
                  insert into event (job_id, number, tenant_id, type, data)
                  select id, events, tenant_id, 'attempt.ended', shown from held cross join closed)
                insert into turn (job_id, number, tenant_id, attempt, message, finish_reason)
                select id, :turn, tenant_id, :number, :message, :finish_reason from held
                """)
            .paramSource(
                new AttemptParameters(lease, attempt)
                    .with("turn", turn.number())
                    .with("message", turn.message())
                    .with("finish_reason", Texts.storable(turn.finishReason())))
            .update()
        == 1;
  }

  private boolean isRecorded(Lease lease, TurnRecord turn) {
    return database
        .sql()
        .sql(
            """
            select count(*) from job
            join turn on turn.job_id = job.id and turn.tenant_id = job.tenant_id
            join attempt on attempt.job_id = job.id and attempt.tenant_id = job.tenant_id
              and attempt.number = turn.attempt
            where job.id = :job and job.tenant_id = :tenant and job.epoch = :epoch
              and job.status = 'in_progress' and turn.number = :turn and attempt.epoch = :epoch
              and attempt.number = :number
            """)
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .param("epoch", lease.epoch().value())
        .param("turn", turn.number())
        .param("number", turn.attempt())
        .query(Boolean.class)
        .single();
  }
}
