package dev.coatcheck.db.attempt;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger keeps of an attempt that is over. Names are those of the API.
 *
 * @param number the attempt's, over all turns of its job
 * @param state answered, refused, unreachable or indeterminate
 * @param counts whether it is held against {@code max_attempts}
 * @param cause why it failed; none for an answer
 * @param billed no, yes or unknown
 * @param receipt what came over the wire
 * @param usage none if the provider said nothing
 */
public record AttemptEnd(
    int number,
    String state,
    Counts counts,
    @Nullable Cause cause,
    String billed,
    Receipt receipt,
    @Nullable TokenUsage usage) {

  /** Whether an attempt is held against {@code max_attempts}. */
  public enum Counts {
    YES,
    /** Our own stop aborted it. */
    NO
  }

  /**
   * @param providerCode the provider's own error code or type
   * @param retryAfter the wait that the provider asked for
   */
  public record Cause(
      String errorCode, @Nullable String providerCode, @Nullable Duration retryAfter) {}

  /**
   * @param bytes of the response's body, after decompression
   */
  public record Receipt(
      @Nullable Integer httpStatus, @Nullable String requestId, long bytes, Duration duration) {}
}
