package dev.coatcheck.db.intake;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.tenant.TenantId;
import java.time.OffsetDateTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Reads what happened to jobs, a piece at a time. */
public final class FindEvents {
  /** Events in one piece. */
  public static final int MOST = 100;

  /** Characters of data in one piece, unless a single event has more. */
  public static final int MOST_DATA = 32_768;

  private final WebDatabase database;
  private final InTime inTime;

  FindEvents(WebDatabase database, InTime inTime) {
    this.database = database;
    this.inTime = inTime;
  }

  /**
   * How far a job's events go.
   *
   * @param newest the newest event's number, 0 if there is none
   * @param ended whether none will follow
   */
  public record Extent(int newest, boolean ended) {}

  /**
   * How far the events of a job go, if it is the tenant's.
   *
   * @throws DatabaseAway when nothing could be read
   */
  public Optional<Extent> extent(TenantId tenant, JobId job) {
    String sql =
        """
        select events, ended_at is not null as ended from job
        where tenant_id = :tenant and id = :job
        """;
    return inTime.get(
        () ->
            database
                .sql()
                .sql(sql)
                .param("tenant", tenant.value())
                .param("job", job.value())
                .query((row, index) -> new Extent(row.getInt("events"), row.getBoolean("ended")))
                .optional());
  }

  /**
   * The next events after that number, in their order; none if there are none yet.
   *
   * @throws DatabaseAway when nothing could be read
   */
  public List<JobEvent> after(TenantId tenant, JobId job, int number) {
    String sql =
        """
        select number, type, data, created_at
        from (
          select number, type, data, created_at,
            sum(length(data)) over (order by number) as running
          from (
            select number, type, data, created_at from event
            where job_id = :job and tenant_id = :tenant and number > :after
            order by number limit :most) as next) as piece
        where running <= :most_data or running = length(data)
        order by number
        """;
    return inTime.get(
        () ->
            database
                .sql()
                .sql(sql)
                .param("tenant", tenant.value())
                .param("job", job.value())
                .param("after", number)
                .param("most", MOST)
                .param("most_data", MOST_DATA)
                .query(
                    (row, index) ->
                        new JobEvent(
                            row.getInt("number"),
                            row.getString("type"),
                            row.getString("data"),
                            row.getObject("created_at", OffsetDateTime.class).toInstant()))
                .list());
  }

  /** A job that somebody follows. */
  public record Followed(TenantId tenant, JobId job) {}

  /**
   * The newest event's number of each of these jobs that is still there, in one statement.
   *
   * @throws DatabaseAway when nothing could be read
   */
  public Map<JobId, Integer> newest(Collection<Followed> jobs) {
    String sql =
        """
        select job.id, job.events
        from unnest(cast(:tenants as text[]), cast(:jobs as uuid[])) as followed(tenant_id, id)
        join job on job.id = followed.id and job.tenant_id = followed.tenant_id
        """;
    String[] tenants = jobs.stream().map(one -> one.tenant.value()).toArray(String[]::new);
    UUID[] ids = jobs.stream().map(one -> one.job.value()).toArray(UUID[]::new);
    var newest = new HashMap<JobId, Integer>();
    inTime
        .get(
            () ->
                database
                    .sql()
                    .sql(sql)
                    .param("tenants", tenants)
                    .param("jobs", ids)
                    .query(
                        (row, index) ->
                            Map.entry(
                                new JobId(row.getObject("id", UUID.class)), row.getInt("events")))
                    .list())
        .forEach(entry -> newest.put(entry.getKey(), entry.getValue()));
    return newest;
  }
}
