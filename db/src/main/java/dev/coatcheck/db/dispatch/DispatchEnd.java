package dev.coatcheck.db.dispatch;

/** How a dispatch is shown once its run has ended. */
public sealed interface DispatchEnd {
  /** The job completed, was parked, or is somebody else's. */
  record Succeeded() implements DispatchEnd {}

  /**
   * The job failed or expired.
   *
   * @param code the job's error code
   */
  record Failed(String code) implements DispatchEnd {}

  /** The job was cancelled. */
  record Deleted() implements DispatchEnd {}
}
