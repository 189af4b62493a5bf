package dev.coatcheck.app.api;

import dev.coatcheck.app.query.StatusReason;
import dev.coatcheck.db.intake.JobView;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** How long a caller may leave a job alone: {@code Retry-After} of a job that has not ended. */
final class PollHint {
  private static final long LEAST = 1;
  private static final long MOST = 30;

  private PollHint() {}

  static String seconds(JobView job) {
    Optional<Instant> until = StatusReason.of(job).flatMap(StatusReason::until);
    long seconds =
        until.map(at -> Duration.between(job.times().read(), at).toSeconds()).orElse(LEAST);
    return Long.toString(Math.clamp(seconds, LEAST, MOST));
  }
}
