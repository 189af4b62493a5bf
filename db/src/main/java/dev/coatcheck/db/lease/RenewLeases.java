package dev.coatcheck.db.lease;

import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.probe.Checkpoint;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Renews the leases of all runs of a worker in one statement. */
public final class RenewLeases {
  private final EngineDatabase database;
  private final Duration lease;

  public RenewLeases(EngineDatabase database, Duration lease) {
    this.database = database;
    this.lease = lease;
  }

  /**
   * @param renewed whose leases run anew from now
   * @param lost whose epoch has moved or whose job has ended; what is in neither was locked
   */
  public record Renewal(Set<JobId> renewed, Set<JobId> lost) {}

  /** An expired lease whose epoch is unchanged is renewed like any other. */
  @Fenced
  public Renewal renew(Collection<Lease> leases) {
    String ids = join(leases, lease -> lease.job().toString());
    String epochs = join(leases, lease -> Long.toString(lease.epoch().value()));
    Set<JobId> renewed = database.probe().write(Checkpoint.K17_RENEWED, () -> renewed(ids, epochs));
    return new Renewal(renewed, renewed.size() == leases.size() ? Set.of() : lost(ids, epochs));
  }

  private static String join(Collection<Lease> leases, Function<Lease, String> part) {
    return leases.stream().map(part).collect(Collectors.joining(","));
  }

  private Set<JobId> renewed(String ids, String epochs) {
    return query(
        """
        with mine as (
          select job.id from job
          join unnest(string_to_array(:ids, ',')::uuid[], string_to_array(:epochs, ',')::bigint[])
            as held(id, epoch) on job.id = held.id and job.epoch = held.epoch
          where job.status = 'in_progress'
          for no key update of job skip locked)
        update job set lease_expires_at = now() + :lease_ms * interval '1 millisecond'
        from mine where job.id = mine.id
        returning job.id
        """,
        ids,
        epochs);
  }

  private Set<JobId> lost(String ids, String epochs) {
    return query(
        """
        select held.id
        from unnest(string_to_array(:ids, ',')::uuid[], string_to_array(:epochs, ',')::bigint[])
          as held(id, epoch)
        left join job on job.id = held.id and job.epoch = held.epoch and job.status = 'in_progress'
        where job.id is null
        """,
        ids,
        epochs);
  }

  private Set<JobId> query(String sql, String ids, String epochs) {
    return new HashSet<>(
        database
            .sql()
            .sql(sql)
            .param("ids", ids)
            .param("epochs", epochs)
            .param("lease_ms", lease.toMillis())
            .query((row, number) -> new JobId(row.getObject(1, UUID.class)))
            .list());
  }
}
