package dev.coatcheck.db.intake;

import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.tenant.TenantId;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Whether a tenant may submit another job. A small limit is exact: a tenant's submits pass one
 * after the other. A large one is held against a count, plus what this process has accepted since;
 * once the count is {@link #FRESH} old, one submit counts again.
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

  /**
   * @param recounted by a submit, while the others go on with this one
   */
  private record Count(AtomicLong jobs, long nanos, AtomicBoolean recounted) {}

  /** Called inside the transaction of a submit. */
  boolean isFull(TenantId tenant) {
    if (limit.isExact()) {
      standInLine(tenant);
      return count(tenant) >= limit.jobs();
    }
    Count known = counts.get(tenant);
    if (known == null) {
      known = remember(tenant, count(tenant));
    } else if (isStale(known) && known.recounted.compareAndSet(false, true)) {
      known = recount(tenant, known);
    }
    return known.jobs.get() >= limit.jobs();
  }

  private boolean isStale(Count known) {
    return nanoTime.getAsLong() - known.nanos > FRESH.toNanos();
  }

  private Count recount(TenantId tenant, Count known) {
    long before = known.jobs.get();
    try {
      long counted = count(tenant);
      return remember(tenant, counted + known.jobs.get() - before);
    } catch (RuntimeException e) {
      known.recounted.set(false);
      throw e;
    }
  }

  private Count remember(TenantId tenant, long jobs) {
    var count = new Count(new AtomicLong(jobs), nanoTime.getAsLong(), new AtomicBoolean());
    if (counts.size() >= MAX_TENANTS) {
      counts.clear();
    }
    counts.put(tenant, count);
    return count;
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
