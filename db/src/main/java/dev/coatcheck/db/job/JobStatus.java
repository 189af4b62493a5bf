package dev.coatcheck.db.job;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Where a job stands. The moves allowed between the states are {@link #next()}, and only those. */
public enum JobStatus {
  /** Waits for a worker, or for its {@code wake_at}. Set by submit, park, release and reap. */
  QUEUED,
  /** A worker holds its lease. Set by acquire. */
  IN_PROGRESS,
  /** Waits for a person or for the caller's tool. */
  REQUIRES_ACTION,
  /** The model stopped by itself; the output is final. */
  COMPLETED,
  /** The model stopped short: length, content filter or the turn limit. */
  INCOMPLETE,
  /** Ended without a usable answer; the error says why. */
  FAILED,
  /** The caller cancelled it. */
  CANCELLED,
  /** Its deadline passed. */
  EXPIRED;

  private static final Set<JobStatus> OPEN = EnumSet.of(QUEUED, IN_PROGRESS, REQUIRES_ACTION);

  /** Whether the job is yet to end. An ended job never changes again. */
  public boolean isOpen() {
    return OPEN.contains(this);
  }

  /** The states that may follow this one. */
  public Set<JobStatus> next() {
    return switch (this) {
      case QUEUED -> EnumSet.of(IN_PROGRESS, CANCELLED, EXPIRED);
      case IN_PROGRESS ->
          EnumSet.of(QUEUED, REQUIRES_ACTION, COMPLETED, INCOMPLETE, FAILED, CANCELLED, EXPIRED);
      case REQUIRES_ACTION -> EnumSet.of(QUEUED, CANCELLED, EXPIRED);
      case COMPLETED, INCOMPLETE, FAILED, CANCELLED, EXPIRED -> EnumSet.noneOf(JobStatus.class);
    };
  }

  /** The name in the API and in the database. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException for a name that is none of ours
   */
  public static JobStatus of(String text) {
    for (JobStatus status : values()) {
      if (status.text().equals(text)) {
        return status;
      }
    }
    throw new IllegalArgumentException("unknown job status");
  }
}
