package dev.coatcheck.worker.retry;

import dev.coatcheck.db.job.EndCode;
import java.time.Duration;

/** What to do about a failed attempt. */
public sealed interface RetryDecision {
  /** Ask again after a pause short enough to be waited for in place. */
  record Again(Duration pause, Reason reason) implements RetryDecision {}

  /** Ask again after a wait too long to hold a thread, a lease or a slot: park the job. */
  record Later(Duration pause, Reason reason) implements RetryDecision {}

  /**
   * Ask no more.
   *
   * @param code {@link EndCode#DEADLINE_EXCEEDED} expires the job, any other fails it
   * @param retryable whether the same body under a new key may succeed without anybody changing it
   * @param message for the job's error; names the last cause
   */
  record Stop(EndCode code, Retryable retryable, String message) implements RetryDecision {}

  /** {@code error.retryable} of the API. */
  enum Retryable {
    YES,
    NO
  }
}
