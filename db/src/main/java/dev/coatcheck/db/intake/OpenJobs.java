package dev.coatcheck.db.intake;

import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.tenant.TenantId;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Whether a tenant may submit another job. A small limit is exact: a tenant's submits pass one
 * after the other. A large one is held against a count that is at most {@link #FRESH} old, plus
 * what this process has accepted since.
 */
final class OpenJobs {
  static final Duration FRESH = Duration.ofSeconds(1);

  /** Tenants whose counts are kept; past that all are forgotten, and counted again when needed. */
  private static final int MAX_TENANTS = 10_000;

  private final WebDatabase database;
  private final OpenJobLimit limit;
  private final LongSupplier nanoTime;
  private final ConcurrentMap<TenantId, Count> counts = new ConcurrentHashMap<>();

  OpenJobs(WebDatabase database, OpenJobLimit limit, LongSupplier nanoTime) {
    this.database = database;
    this.limit = limit;
    this.nanoTime = nanoTime;
  }

  private record Count(AtomicLong jobs, long nanos) {}

  /** Called inside the transaction of a submit. */
  boolean isFull(TenantId tenant) {
    if (limit.isExact()) {
      standInLine(tenant);
      return count(tenant) >= limit.jobs();
    }
    Count known = counts.get(tenant);
    if (known == null || nanoTime.getAsLong() - known.nanos > FRESH.toNanos()) {
      known = new Count(new AtomicLong(count(tenant)), nanoTime.getAsLong());
      if (counts.size() >= MAX_TENANTS) {
        counts.clear();
      }
      counts.put(tenant, known);
    }
    return known.jobs.get() >= limit.jobs();
  }

  /** Called once a new job is committed. */
  void accepted(TenantId tenant) {
    Count known = counts.get(tenant);
    if (known != null) {
      known.jobs.incrementAndGet();
    }
  }

  /** Until the transaction ends. */
  private void standInLine(TenantId tenant) {
    database
        .sql()
        .sql("select pg_advisory_xact_lock(hashtextextended('coatcheck submit ' || :tenant, 0))")
        .param("tenant", tenant.value())
        .query((row, number) -> true)
        .single();
  }

  private long count(TenantId tenant) {
    String sql =
        """
        select count(*) from (
          select 1 from job
          where tenant_id = :tenant and status in ('queued', 'in_progress', 'requires_action')
          limit :limit) as open
        """;
    return database
        .sql()
        .sql(sql)
        .param("tenant", tenant.value())
        .param("limit", limit.jobs())
        .query(Long.class)
        .single();
  }
}
