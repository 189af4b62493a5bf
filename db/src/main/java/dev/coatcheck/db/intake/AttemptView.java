package dev.coatcheck.db.intake;

import java.time.Instant;
import java.util.Optional;

/** One HTTP request to a provider, as the ledger has it. */
public record AttemptView(
    int number, int turn, String state, Instant sentAt, Optional<Instant> endedAt, Reply reply) {
  /**
   * What came back, and what it means.
   *
   * @param waitUntil until when the job waits because of it
   */
  public record Reply(
      Optional<Integer> httpStatus,
      Optional<String> errorCode,
      Optional<Long> retryAfterMs,
      Optional<Instant> waitUntil,
      String billed,
      Optional<String> providerRequestId) {}
}
