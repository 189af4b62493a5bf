package dev.coatcheck.db.lease;

import dev.coatcheck.db.job.EndCode;
import dev.coatcheck.db.job.JobStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How a run leaves its job. */
public sealed interface Departure {
  /**
   * The job waits, and nothing is held meanwhile.
   *
   * @param reasonCode {@code status_reason.code} of the API
   * @param detail one line for people
   */
  record Parked(Duration pause, String reasonCode, String detail) implements Departure {}

  /** This process stops: another may go on at once. */
  record Released() implements Departure {}

  /**
   * The job is over.
   *
   * @param finishReason the model's own word
   */
  record Ended(JobStatus status, @Nullable String finishReason, @Nullable JobError error)
      implements Departure {
    public Ended {
      if (status.isOpen()) {
        throw new IllegalArgumentException("a job ends in an end state");
      }
    }
  }

  /**
   * @param retryable whether the same body under a new key may succeed later
   * @param message masked and bounded, for the caller
   * @param upstream what the provider said; none if it was not asked
   */
  record JobError(EndCode code, boolean retryable, String message, @Nullable Upstream upstream) {
    /** One of our own, as retryable as its code. */
    public static JobError of(EndCode code, String message) {
      return new JobError(code, code.isRetryable(), message, null);
    }
  }

  /**
   * @param code the provider's own
   */
  record Upstream(@Nullable Integer status, @Nullable String code, @Nullable String requestId) {}
}
