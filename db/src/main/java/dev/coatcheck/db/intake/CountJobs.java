package dev.coatcheck.db.intake;

import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.pool.WebDatabase;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/** Counts the open jobs of all tenants, for the metrics. */
public final class CountJobs {
  private final WebDatabase database;
  private final InTime inTime;

  CountJobs(WebDatabase database, InTime inTime) {
    this.database = database;
    this.inTime = inTime;
  }

  /**
   * By status; zero where there is none.
   *
   * @throws DatabaseAway when nothing could be read
   */
  public Map<JobStatus, Long> open() {
    return inTime.get(this::select);
  }

  private Map<JobStatus, Long> select() {
    var counts = new EnumMap<JobStatus, Long>(JobStatus.class);
    Arrays.stream(JobStatus.values())
        .filter(JobStatus::isOpen)
        .forEach(status -> counts.put(status, 0L));
    String sql =
        """
        select status, count(*) as jobs from job
        where status in ('queued', 'in_progress', 'requires_action') group by status
        """;
    database
        .sql()
        .sql(sql)
        .query(
            (row, number) -> counts.put(JobStatus.of(row.getString("status")), row.getLong("jobs")))
        .list();
    return counts;
  }
}
