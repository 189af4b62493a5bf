package dev.coatcheck.app.query;

import dev.coatcheck.db.intake.AttemptView;
import dev.coatcheck.db.intake.JobView;
import java.time.Instant;
import java.util.Optional;

/**
 * Why a job has not ended.
 *
 * @param until where a time is known
 */
public record StatusReason(String code, Optional<Instant> until, Optional<String> detail) {
  private static final int MS_A_SECOND = 1_000;

  /** Empty for an ended job. */
  public static Optional<StatusReason> of(JobView job) {
    return switch (job.status()) {
      case QUEUED -> Optional.of(queued(job));
      case IN_PROGRESS -> Optional.of(inProgress(job));
      case REQUIRES_ACTION ->
          Optional.of(
              new StatusReason(
                  job.waiting().code().orElse("awaiting_tool_output"),
                  Optional.of(job.times().deadline()),
                  job.waiting().detail()));
      case COMPLETED, INCOMPLETE, FAILED, CANCELLED, EXPIRED -> Optional.empty();
    };
  }

  private static StatusReason queued(JobView job) {
    JobView.Waiting waiting = job.waiting();
    Optional<Instant> until = waiting.wakeAt().filter(at -> at.isAfter(job.times().read()));
    if (waiting.code().isPresent() && (until.isPresent() || waiting.wakeAt().isEmpty())) {
      return new StatusReason(waiting.code().get(), until, waiting.detail());
    }
    return new StatusReason(until.isPresent() ? "scheduled" : "ready", until, Optional.empty());
  }

  private static StatusReason inProgress(JobView job) {
    if (job.waiting().runsTools()) {
      return new StatusReason("running_tool", Optional.empty(), Optional.empty());
    }
    Optional<AttemptView> last =
        job.waiting().lastAttempt().filter(attempt -> waitsAfter(attempt, job.times().read()));
    if (last.isEmpty()) {
      return new StatusReason("calling_model", Optional.empty(), Optional.empty());
    }
    AttemptView.Reply reply = last.get().reply();
    boolean limited = reply.errorCode().filter("rate_limited"::equals).isPresent();
    return new StatusReason(
        limited ? "rate_limited" : "backoff",
        reply.waitUntil(),
        reply.httpStatus().map(status -> detail(job.request().provider(), status, reply)));
  }

  private static boolean waitsAfter(AttemptView attempt, Instant now) {
    return attempt.reply().waitUntil().filter(until -> until.isAfter(now)).isPresent();
  }

  private static String detail(String provider, int status, AttemptView.Reply reply) {
    String asked =
        reply
            .retryAfterMs()
            .map(ms -> ", Retry-After " + (ms + MS_A_SECOND - 1) / MS_A_SECOND + " s")
            .orElse("");
    return provider + " answered " + status + asked;
  }
}
