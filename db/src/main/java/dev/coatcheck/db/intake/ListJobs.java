package dev.coatcheck.db.intake;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.tenant.TenantId;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Lists jobs of a tenant, newest first. */
public final class ListJobs {
  private static final String ITEMS = Row.COLUMNS + ", 0 as calls_total, null::bytea as message\n";

  private static final String FILTERED =
      """
      select * from job
      where tenant_id = :tenant
        and (cast(:after as uuid) is null or id < :after)
        and (cast(:oldest as uuid) is null or id >= :oldest)
        and (cast(:newest as uuid) is null or id < :newest)
        and (cast(:status as text) is null or status = :status)
        and (cast(:model as text) is null or model = :model)
        and (cast(:created_after as timestamptz) is null or created_at > :created_after)
        and (cast(:created_before as timestamptz) is null or created_at < :created_before)
      """;

  private static final String PAGE =
      """
      from (
        %s
          and (cast(:hashes as bigint[]) is null or metadata_hashes @> :hashes)
        order by id desc limit :limit) j
      """
          .formatted(FILTERED);

  private static final String PAGE_OF_RECENT =
      """
      from (
        select * from (
          %s
          order by id desc limit :recent) newest
        where metadata_hashes @> :hashes
        order by id desc limit :limit) j
      """
          .formatted(FILTERED);

  private static final String NEWEST_FIRST = "order by j.id desc\n";

  static final String SQL = ITEMS + PAGE + Row.ATTEMPTS + NEWEST_FIRST;

  /** Of the newest jobs alone. */
  static final String RECENT_SQL = ITEMS + PAGE_OF_RECENT + Row.ATTEMPTS + NEWEST_FIRST;

  /**
   * Among so many a pair of metadata that many jobs have fills a page; one that does not is rare
   * enough to be found by its index. The planner cannot tell the two apart: it knows how often
   * common pairs occur, and takes all others for one in 200.
   */
  static final int RECENT = 5_000;

  /** How far a web tier's clock, which ids are made by, may be from the database's. */
  private static final Duration SKEW = Duration.ofHours(1);

  /** An id has so many bits of time. */
  private static final long MOST_MILLIS = 0xffff_ffff_ffffL;

  private final WebDatabase database;
  private final InTime inTime;

  ListJobs(WebDatabase database, InTime inTime) {
    this.database = database;
    this.inTime = inTime;
  }

  /**
   * One page.
   *
   * @throws DatabaseAway when nothing could be read
   */
  public JobPage list(TenantId tenant, JobFilter filter) {
    return inTime.get(
        () ->
            filter.after().map(id -> exists(tenant, id)).orElse(true)
                ? page(tenant, filter)
                : new JobPage.UnknownCursor());
  }

  private boolean exists(TenantId tenant, JobId id) {
    return database
        .sql()
        .sql("select exists (select 1 from job where tenant_id = :tenant and id = :id)")
        .param("tenant", tenant.value())
        .param("id", id.value())
        .query(Boolean.class)
        .single();
  }

  private JobPage page(TenantId tenant, JobFilter filter) {
    List<JobView> jobs = select(tenant, filter);
    boolean hasMore = jobs.size() > filter.limit();
    return new JobPage.Found(hasMore ? jobs.subList(0, filter.limit()) : jobs, hasMore);
  }

  private List<JobView> select(TenantId tenant, JobFilter filter) {
    return database
        .transaction()
        .execute(
            status -> {
              set("plan_cache_mode", "force_custom_plan");
              return filter.metadata().isEmpty()
                  ? query(SQL, tenant, filter)
                  : selectByMetadata(tenant, filter);
            });
  }

  private List<JobView> selectByMetadata(TenantId tenant, JobFilter filter) {
    List<JobView> recent = query(RECENT_SQL, tenant, filter);
    if (recent.size() > filter.limit()) {
      return recent;
    }
    // Leaves the bitmap of the pairs' own index.
    set("enable_indexscan", "off");
    return query(SQL, tenant, filter);
  }

  private List<JobView> query(String sql, TenantId tenant, JobFilter filter) {
    return bind(database.sql().sql(sql), tenant, filter).query(Row::job).list();
  }

  /**
   * Until the transaction ends. A plan for any values would use no index: each condition might be
   * absent.
   */
  private void set(String setting, String value) {
    database
        .sql()
        .sql("select set_config(:setting, :value, true)")
        .param("setting", setting)
        .param("value", value)
        .query(String.class)
        .single();
  }

  static JdbcClient.StatementSpec bind(
      JdbcClient.StatementSpec statement, TenantId tenant, JobFilter filter) {
    return statement
        .param("tenant", tenant.value())
        .param("after", filter.after().map(JobId::value).orElse(null))
        .param("oldest", filter.createdAfter().map(at -> idOf(at.minus(SKEW))).orElse(null))
        .param("newest", filter.createdBefore().map(at -> idOf(at.plus(SKEW))).orElse(null))
        .param("status", filter.status().map(JobStatus::text).orElse(null))
        .param("model", filter.model().orElse(null))
        .param("hashes", hashes(filter.metadata()))
        .param("created_after", timestamp(filter.createdAfter()))
        .param("created_before", timestamp(filter.createdBefore()))
        .param("recent", RECENT)
        .param("limit", filter.limit() + 1);
  }

  /** The first id that may be made in that millisecond: ids sort by the time of their submit. */
  private static UUID idOf(Instant at) {
    long millis = Math.clamp(at.toEpochMilli(), 0, MOST_MILLIS);
    return new UUID(millis << Short.SIZE, 0);
  }

  private static Long @Nullable [] hashes(Map<String, String> metadata) {
    return metadata.isEmpty()
        ? null
        : metadata.entrySet().stream()
            .map(pair -> MetadataHash.of(pair.getKey(), pair.getValue()))
            .toArray(Long[]::new);
  }

  private static @Nullable OffsetDateTime timestamp(Optional<Instant> instant) {
    return instant.map(at -> at.atOffset(ZoneOffset.UTC)).orElse(null);
  }
}
