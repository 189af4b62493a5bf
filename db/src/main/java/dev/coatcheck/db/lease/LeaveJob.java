package dev.coatcheck.db.lease;

import dev.coatcheck.db.attempt.AttemptEnd;
import dev.coatcheck.db.dispatch.Dispatch;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.step.EndCalls;
import dev.coatcheck.db.step.TurnRecord;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Ends a run's tenure in one transaction: the open attempt is closed, the turn recorded, the job
 * parked, released or ended, and the next dispatch made where there is one.
 */
public final class LeaveJob {
  private final EngineDatabase database;
  private final Dispatches dispatches;
  private final Notifier notifier;
  private final RecordCalls calls;

  public LeaveJob(EngineDatabase database, Dispatches dispatches, Notifier notifier) {
    this.database = database;
    this.dispatches = dispatches;
    this.notifier = notifier;
    this.calls = new RecordCalls(database);
  }

  /**
   * What the run did last.
   *
   * @param attempt the attempt that is open, as it came out; none if none is
   * @param turn the turn to record; none if there was no answer
   */
  public record LastAct(@Nullable AttemptEnd attempt, @Nullable TurnRecord turn) {
    public static LastAct none() {
      return new LastAct(null, null);
    }
  }

  @Fenced
  public Written leave(LeasedJob job, Departure departure, LastAct act) {
    Written written =
        switch (departure) {
          case Departure.Parked parked -> requeue(job, parked, act);
          case Departure.Released released -> requeue(job, released, act);
          case Departure.Ended ended -> end(job, ended, act);
        };
    if (written == Written.YES) {
      notifier.send(Channel.CHANGED, job.lease().job());
    }
    return written;
  }

  private Written end(LeasedJob job, Departure.Ended ended, LastAct act) {
    AttemptParameters parameters =
        parameters(job, ended, act)
            .with("wait_ms", null)
            .with("dispatch_no", job.dispatchNo())
            .with("dispatch_id", Dispatch.idOf(job.lease().job(), job.dispatchNo()));
    boolean moved = hasCalls(ended, act) ? endCalls(job, parameters, act) : moves(parameters);
    return moved || hasMoved(job, ended.status()) ? Written.YES : Written.LEASE_LOST;
  }

  /** Whether there are, or may be, tool calls that the job's end leaves behind. */
  private static boolean hasCalls(Departure.Ended ended, LastAct act) {
    TurnRecord turn = act.turn();
    return ended.status() == JobStatus.EXPIRED || (turn != null && !turn.calls().isEmpty());
  }

  private boolean moves(AttemptParameters parameters) {
    return move(parameters).isPresent();
  }

  private boolean endCalls(LeasedJob job, AttemptParameters parameters, LastAct act) {
    TurnRecord turn = act.turn();
    Boolean moved =
        database
            .transaction()
            .execute(
                status -> {
                  boolean isOurs = moves(parameters);
                  if (isOurs && turn != null) {
                    calls.insert(job.lease(), turn);
                  } else if (isOurs) {
                    EndCalls.of(database.sql(), job.lease().job());
                  }
                  return isOurs;
                });
    return Boolean.TRUE.equals(moved);
  }

  private Written requeue(LeasedJob job, Departure departure, LastAct act) {
    Duration wait = departure instanceof Departure.Parked parked ? parked.pause() : Duration.ZERO;
    Dispatch next =
        new Dispatch(
            job.lease().job(),
            job.dispatchNo() + 1,
            job.model(),
            job.idempotencyKey(),
            job.lease().tenant(),
            job.provider());
    AttemptParameters parameters =
        parameters(job, departure, act)
            .with("wait_ms", wait.toMillis())
            .with("dispatch_no", next.number())
            .with("dispatch_id", next.id());
    Boolean moved =
        database
            .transaction()
            .execute(
                status -> {
                  Optional<Instant> wakeAt = move(parameters);
                  wakeAt.ifPresent(at -> dispatch(next, wait, at));
                  return wakeAt.isPresent() || hasMoved(job, JobStatus.QUEUED);
                });
    if (Boolean.TRUE.equals(moved)) {
      dispatches.announce(job.lease().job());
      return Written.YES;
    }
    return Written.LEASE_LOST;
  }

  private void dispatch(Dispatch next, Duration wait, Instant wakeAt) {
    if (wait.isZero()) {
      dispatches.create(next);
    } else {
      dispatches.createAt(next, wakeAt);
    }
  }

  private static AttemptParameters parameters(LeasedJob job, Departure departure, LastAct act) {
    var parameters = new AttemptParameters(job.lease(), act.attempt());
    TurnRecord turn = act.turn();
    parameters
        .with("events", act.attempt() == null ? 1 : 2)
        .with("turn", turn == null ? null : turn.number())
        .with("turn_message", turn == null ? null : turn.message())
        .with("turn_finish_reason", turn == null ? null : Texts.storable(turn.finishReason()));
    addDeparture(parameters, departure);
    return parameters;
  }

  private static void addDeparture(AttemptParameters parameters, Departure departure) {
    Departure.Ended ended = departure instanceof Departure.Ended end ? end : null;
    Departure.Parked parked = departure instanceof Departure.Parked park ? park : null;
    parameters
        .with("status", ended == null ? JobStatus.QUEUED.text() : ended.status().text())
        .with("ended", ended != null)
        .with("reason_code", parked == null ? null : parked.reasonCode())
        .with("reason_detail", parked == null ? null : Texts.storable(parked.detail()))
        .with("finish_reason", ended == null ? null : Texts.storable(ended.finishReason()));
    addError(parameters, ended == null ? null : ended.error());
  }

  private static void addError(AttemptParameters parameters, Departure.@Nullable JobError error) {
    Departure.Upstream upstream = error == null ? null : error.upstream();
    parameters
        .with("job_error_code", error == null ? null : error.code().text())
        .with("job_error_message", error == null ? null : Texts.storable(error.message()))
        .with("job_error_retryable", error == null ? null : error.retryable())
        .with("upstream_status", upstream == null ? null : upstream.status())
        .with("upstream_code", upstream == null ? null : Texts.storable(upstream.code()))
        .with(
            "upstream_request_id", upstream == null ? null : Texts.storable(upstream.requestId()));
  }

  /** Moves the job if the lease holds; returns the instant of the move, or of its waking. */
  private Optional<Instant> move(AttemptParameters parameters) {
    return database
        .sql()
        .sql(
            """
            with moved as (
              update job
              set status = :status, lease_owner = null, lease_expires_at = null,
                  wake_at = now() + cast(:wait_ms as bigint) * interval '1 millisecond',
                  reason_code = :reason_code, reason_detail = :reason_detail,
                  dispatch_no = :dispatch_no, dispatch_id = :dispatch_id,
                  deaths = case when cast(:turn as smallint) is null then deaths else 0 end,
                  ended_at = case when :ended then now() end,
                  finish_reason = :finish_reason, error_code = :job_error_code,
                  error_message = :job_error_message, error_retryable = :job_error_retryable,
                  upstream_status = :upstream_status,
                  upstream_code = :upstream_code, upstream_request_id = :upstream_request_id,
                  events = events + :events
              where id = :job and tenant_id = :tenant and epoch = :epoch and status = 'in_progress'
              returning id, tenant_id, status, reason_code, error_code, wake_at, ended_at, events,
                        coalesce(wake_at, now()) as at),
            closed as (
              update attempt
              set state = :state, counted = :counted, ended_at = now(), http_status = :http_status,
                  error_code = :error_code, provider_code = :provider_code,
                  retry_after_ms = :retry_after_ms, wait_ms = :wait_ms,
                  wait_until = now() + cast(:wait_ms as bigint) * interval '1 millisecond',
                  billed = :billed, provider_request_id = :request_id, response_bytes = :bytes,
                  duration_ms = :duration_ms, usage_input = :usage_input,
                  usage_input_cached = :usage_input_cached, usage_cache_write = :usage_cache_write,
                  usage_output = :usage_output, usage_reasoning = :usage_reasoning,
                  usage_json = :usage_json
              from moved
              where attempt.job_id = moved.id and attempt.tenant_id = moved.tenant_id
                and attempt.number = :number and attempt.epoch = :epoch
              returning event_of_attempt(attempt) as shown),
            told as (
              insert into event (job_id, number, tenant_id, type, data)
              select id, events - 1, tenant_id, 'attempt.ended', shown from moved cross join closed
              union all
              select id, events, tenant_id,
                case when status <> 'queued' then 'job.' || status
                     when reason_code is null then 'job.queued' else 'job.waiting' end,
                case when ended_at is not null then event_of_end(status, error_code)
                     else event_of_status(status, coalesce(reason_code, 'ready'), nullif(wake_at, now())) end
              from moved),
            recorded as (
              insert into turn (job_id, number, tenant_id, attempt, message, finish_reason)
              select moved.id, cast(:turn as smallint), moved.tenant_id, cast(:number as int),
                     cast(:turn_message as bytea), cast(:turn_finish_reason as text)
              from moved where cast(:turn as smallint) is not null)
            select at from moved
            """)
        .paramSource(parameters)
        .query((row, index) -> row.getObject("at", OffsetDateTime.class).toInstant())
        .optional();
  }

  /**
   * Whether an earlier call did it, whose answer was lost. Whoever else moves it raises the epoch.
   */
  private boolean hasMoved(LeasedJob job, JobStatus status) {
    return database
        .sql()
        .sql(
            """
            select count(*) from job
            where id = :job and tenant_id = :tenant and epoch = :epoch and status = :status
            """)
        .param("job", job.lease().job().value())
        .param("tenant", job.lease().tenant().value())
        .param("epoch", job.lease().epoch().value())
        .param("status", status.text())
        .query(Boolean.class)
        .single();
  }
}
