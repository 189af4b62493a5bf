package dev.coatcheck.db.intake;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Which jobs to list.
 *
 * @param limit how many at most
 * @param after only jobs older than this one
 * @param metadata pairs that a job must have, all of them
 */
public record JobFilter(
    int limit,
    Optional<JobId> after,
    Optional<JobStatus> status,
    Optional<String> model,
    Map<String, String> metadata,
    Optional<Instant> createdAfter,
    Optional<Instant> createdBefore) {
  public JobFilter {
    metadata = Map.copyOf(metadata);
  }
}
