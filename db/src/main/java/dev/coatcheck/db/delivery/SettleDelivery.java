package dev.coatcheck.db.delivery;

import dev.coatcheck.db.pool.EngineDatabase;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Writes down what came of a try, and what is next. Done twice it is done once. */
public final class SettleDelivery {
  private final EngineDatabase database;

  public SettleDelivery(EngineDatabase database) {
    this.database = database;
  }

  /**
   * The try's own row is written in any case; the delivery moves only if no later try has it.
   *
   * @return whether it moved
   */
  public boolean settle(ClaimedDelivery delivery, TryOutcome outcome) {
    return switch (outcome) {
      case TryOutcome.Delivered delivered ->
          write(delivery, new Move("delivered", null, 0, delivered.httpStatus(), null));
      case TryOutcome.Failed failed ->
          write(
              delivery,
              new Move("pending", failed.pause(), 1, failed.httpStatus(), failed.error()));
      case TryOutcome.Dead dead ->
          write(delivery, new Move("dead", null, 1, dead.httpStatus(), dead.error()));
      case TryOutcome.Released released ->
          write(delivery, new Move("pending", Duration.ZERO, 0, null, released.error()));
    };
  }

  private record Move(
      String state,
      @Nullable Duration pause,
      int failures,
      @Nullable Integer httpStatus,
      @Nullable String error) {}

  private boolean write(ClaimedDelivery delivery, Move move) {
    return database
        .sql()
        .sql(
            """
            with settled as (
              update delivery
              set state = :state, failures = failures + :failures,
                  next_at = now() + cast(:pause_ms as bigint) * interval '1 millisecond',
                  settled_at = case when :state <> 'pending' then now() end,
                  dispatch_id = null, claimed_until = null
              where id = :delivery and tenant_id = :tenant and tries = :number
                and state = 'pending' and dispatch_id is not null
              returning id),
            noted as (
              update delivery_attempt set http_status = :http_status, error = :error
              where delivery_id = :delivery and tenant_id = :tenant and number = :number)
            select count(*) from settled
            """)
        .param("state", move.state)
        .param("failures", move.failures)
        .param("pause_ms", move.pause == null ? null : move.pause.toMillis())
        .param("delivery", delivery.id().value())
        .param("tenant", delivery.tenant().value())
        .param("number", delivery.number())
        .param("http_status", move.httpStatus)
        .param("error", move.error)
        .query(Boolean.class)
        .single();
  }
}
