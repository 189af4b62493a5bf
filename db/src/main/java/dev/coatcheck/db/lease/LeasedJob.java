package dev.coatcheck.db.lease;

import dev.coatcheck.db.job.Budget;
import java.time.Duration;

/**
 * A job as its run finds it.
 *
 * @param dispatchNo the dispatch it was acquired on
 * @param idempotencyKey the caller's
 * @param model as the caller wrote it
 * @param provider the configured provider's name
 * @param providerModel what that provider is asked for
 * @param clock how long it waited and what it has left, at the moment of acquiring
 * @param progress what earlier runs have recorded
 * @param body the request as the caller sent it
 */
public record LeasedJob(
    Lease lease,
    int dispatchNo,
    String idempotencyKey,
    String model,
    String provider,
    String providerModel,
    Budget budget,
    Clock clock,
    Progress progress,
    byte[] body) {

  /**
   * By the database's clock.
   *
   * @param sinceReady since it might have run
   */
  public record Clock(Duration sinceReady, Duration untilDeadline) {}

  /**
   * @param turns model turns recorded
   * @param lastAttempt the newest earlier attempt's number, 0 if there was none
   * @param opened whether the next attempt is open already, as being sent
   */
  public record Progress(int turns, int lastAttempt, boolean opened) {}
}
