package dev.coatcheck.db.lease;

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
   * @param code {@code error.code} of the API
   * @param message masked and bounded, for the caller
   */
  record JobError(
      String code,
      String message,
      @Nullable Integer upstreamStatus,
      @Nullable String upstreamCode,
      @Nullable String upstreamRequestId) {

    public static JobError of(String code, String message) {
      return new JobError(code, message, null, null, null);
    }
  }
}
