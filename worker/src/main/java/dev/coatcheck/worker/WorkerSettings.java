package dev.coatcheck.worker;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code coatcheck.worker}: how much a worker does at once, and how it lets go.
 *
 * @param concurrency runs at once
 * @param lease how long a job is a worker's without a renewal; renewed each third of it
 * @param maxDeaths leases that may run out on a job without a new step; the last one fails it
 * @param stopGrace how long open calls may go on at a stop
 * @param alone whether no other process uses the database, so that the leases found at the start
 *     are a dead process's
 */
@ConfigurationProperties("coatcheck.worker")
public record WorkerSettings(
    @DefaultValue("1000") int concurrency,
    @DefaultValue("30s") Duration lease,
    @DefaultValue("5") int maxDeaths,
    @DefaultValue("5s") Duration stopGrace,
    @DefaultValue("false") boolean alone) {
  private static final int MOST_RUNS = 100_000;
  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(3);
  private static final Duration LONGEST = Duration.ofMinutes(10);
  private static final int MOST_DEATHS = 100;

  /**
   * @throws IllegalArgumentException in one sentence that names the property
   */
  public WorkerSettings {
    check(concurrency >= 1 && concurrency <= MOST_RUNS, "concurrency must be 1 to " + MOST_RUNS);
    check(
        lease.compareTo(SHORTEST_LEASE) >= 0 && lease.compareTo(LONGEST) <= 0,
        "lease must be 3s to 10m");
    check(maxDeaths >= 1 && maxDeaths <= MOST_DEATHS, "max-deaths must be 1 to " + MOST_DEATHS);
    check(
        !stopGrace.isNegative() && stopGrace.compareTo(LONGEST) <= 0,
        "stop-grace must be 0 to 10m");
  }

  private static void check(boolean holds, String sentence) {
    if (!holds) {
      throw new IllegalArgumentException("coatcheck.worker." + sentence);
    }
  }
}
