package dev.coatcheck.db.intake;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.json.RawJson;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A job as it stands.
 *
 * @param message the final assistant message as the provider sent it
 */
public record JobView(
    JobId id,
    JobStatus status,
    Request request,
    Times times,
    Waiting waiting,
    End end,
    Usage usage,
    long attemptsTotal,
    List<AttemptView> attempts,
    long callsTotal,
    List<ToolCallView> toolCalls,
    Optional<RawJson> message) {

  /** Whose bytes in {@code metadata} are the caller's. */
  public record Request(
      String model, String provider, String idempotencyKey, Optional<RawJson> metadata) {}

  /** By the database's clock. */
  public record Times(
      Instant read,
      Instant created,
      Optional<Instant> started,
      Optional<Instant> ended,
      Instant deadline,
      Optional<Instant> erased) {}

  /**
   * Why a job that has not ended waits.
   *
   * @param code the row's, if it has one
   * @param lastAttempt of a job in progress, if it has one
   * @param runsTools whether it is in progress, and tools are being run or about to be
   */
  public record Waiting(
      Optional<String> code,
      Optional<String> detail,
      Optional<Instant> wakeAt,
      Optional<AttemptView> lastAttempt,
      boolean runsTools) {}

  /** How a job ended; all empty before. */
  public record End(Optional<String> finishReason, Optional<JobFailure> error) {}

  /**
   * Why there is no usable answer.
   *
   * @param retryable whether the same body under a new key may succeed later
   */
  public record JobFailure(String code, String message, boolean retryable, Upstream upstream) {}

  /** What the provider said of the failure. */
  public record Upstream(
      Optional<Integer> status, Optional<String> code, Optional<String> requestId) {
    public boolean isKnown() {
      return status.isPresent() || code.isPresent() || requestId.isPresent();
    }
  }

  /** Sums over all attempts. Disjoint, but for reasoning, which is part of output. */
  public record Usage(long input, long inputCached, long cacheWrite, long output, long reasoning) {}

  /** A job that was stored just now. */
  static JobView fresh(NewJob job, SubmitJob.Inserted row) {
    return new JobView(
        job.id(),
        JobStatus.QUEUED,
        new Request(
            job.model().asked(), job.model().provider(), job.idempotencyKey(), job.metadata()),
        new Times(
            row.createdAt(),
            row.createdAt(),
            Optional.empty(),
            Optional.empty(),
            row.deadlineAt(),
            Optional.empty()),
        new Waiting(Optional.empty(), Optional.empty(), row.wakeAt(), Optional.empty(), false),
        new End(Optional.empty(), Optional.empty()),
        new Usage(0, 0, 0, 0, 0),
        0,
        List.of(),
        0,
        List.of(),
        Optional.empty());
  }

  JobView withAttempts(List<AttemptView> newest) {
    return new JobView(
        id,
        status,
        request,
        times,
        waiting,
        end,
        usage,
        attemptsTotal,
        newest,
        callsTotal,
        toolCalls,
        message);
  }

  JobView withToolCalls(List<ToolCallView> calls) {
    return new JobView(
        id,
        status,
        request,
        times,
        waiting,
        end,
        usage,
        attemptsTotal,
        attempts,
        callsTotal,
        calls,
        message);
  }
}
