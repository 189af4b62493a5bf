package dev.coatcheck.worker.lease;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.time.Ticks;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;

/**
 * Recalls whose cancel was heard lately. Between the commit that acquires a job and the moment that
 * its lease is kept, a cancel is heard while nobody here seems to have the job.
 */
final class RecallCancels {
  /** As long as the answer to a commit may take. */
  static final Duration MEMORY = Duration.ofSeconds(35);

  /** Beyond that the oldest is forgotten, which costs a third of a lease. */
  static final int MOST = 10_000;

  private final Ticks ticks;

  /** When each was heard, the oldest first. */
  private final LinkedHashMap<JobId, Long> heard = new LinkedHashMap<>();

  RecallCancels(Ticks ticks) {
    this.ticks = ticks;
  }

  synchronized void hear(Collection<JobId> jobs) {
    long now = ticks.nanos();
    jobs.forEach(job -> heard.putLast(job, now));
    while (heard.size() > MOST
        || (!heard.isEmpty() && isOver(heard.firstEntry().getValue(), now))) {
      heard.pollFirstEntry();
    }
  }

  synchronized boolean isHeard(JobId job) {
    Long at = heard.get(job);
    return at != null && !isOver(at, ticks.nanos());
  }

  private static boolean isOver(long at, long now) {
    return now - at > MEMORY.toNanos();
  }
}
