package dev.coatcheck.db.intake;

import dev.coatcheck.db.job.JobId;
import java.util.List;
import java.util.Optional;

/** What became of a submit. */
public sealed interface Submitted {
  /** A new job: stored, with its first dispatch. */
  record Accepted(JobView job) implements Submitted {}

  /** The job that the same request made before. */
  record Replayed(JobId job) implements Submitted {}

  /**
   * Another request has used the idempotency key.
   *
   * @param differs dotted paths; empty when that request was erased
   */
  record Reused(JobId job, Optional<List<String>> differs) implements Submitted {}

  /** The tenant has as many open jobs as it may. */
  record TooMany() implements Submitted {}
}
