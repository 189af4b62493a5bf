package dev.coatcheck.db.intake;

import java.time.Instant;
import java.util.Set;

/**
 * One event of a job.
 *
 * @param number from 1, without a gap
 * @param type as the API names it
 * @param data a JSON object
 */
public record JobEvent(int number, String type, String data, Instant created) {
  private static final Set<String> ENDS =
      Set.of("job.completed", "job.incomplete", "job.failed", "job.cancelled", "job.expired");

  /** Whether nothing follows it. */
  public boolean isEnd() {
    return ENDS.contains(type);
  }
}
