package dev.coatcheck.db.lease;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.EventType;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Appends what many jobs' models say, in one statement. Each piece names the number that its job's
 * events must stand at: a piece whose commit was in doubt is sent again, and is there once.
 */
public final class AppendDeltas {
  /** Jobs in one call. */
  public static final int MOST = 1_000;

  private final EngineDatabase database;
  private final Notifier notifier;

  public AppendDeltas(EngineDatabase database, Notifier notifier) {
    this.database = database;
    this.notifier = notifier;
  }

  /**
   * A job whose model is to be told of.
   *
   * @param after the number that the last piece was to follow; 0 if there was none
   */
  public record Telling(Lease lease, int after) {}

  /**
   * Where the events of a job stand.
   *
   * @param events the newest number
   * @param follower whether what follows that number is a piece
   * @param stale the first delta that nobody has declared void
   */
  public record Standing(int events, Follower follower, @Nullable Integer stale) {}

  /** What follows a number. */
  public enum Follower {
    A_PIECE,
    NO_PIECE
  }

  /**
   * An event to append.
   *
   * @param after the number that the job's events must stand at
   */
  public record Piece(Lease lease, int after, EventType type, String data) {}

  /** Where they stand; those that are not there have lost their lease or are over. */
  public Map<JobId, Standing> look(Collection<Telling> tellings) {
    Map<JobId, Standing> standings = new HashMap<>();
    database
        .sql()
        .sql(
            """
            select job.id, job.events, exists (
                select from event
                where event.job_id = job.id and event.tenant_id = job.tenant_id
                  and event.number = told.after + 1
                  and event.type in ('output.delta', 'attempt.restarted')) as followed, (
              select min(event.number) from event
              where event.job_id = job.id and event.tenant_id = job.tenant_id
                and event.type = 'output.delta' and event.number > coalesce((
                  select max(restart.number) from event restart
                  where restart.job_id = job.id and restart.tenant_id = job.tenant_id
                    and restart.type = 'attempt.restarted'), 0)) as stale
            from unnest(cast(:jobs as uuid[]), cast(:tenants as text[]), cast(:epochs as bigint[]),
                cast(:after as int[])) as told(job, tenant, epoch, after)
            join job on job.id = told.job and job.tenant_id = told.tenant
              and job.epoch = told.epoch and job.status = 'in_progress'
            """)
        .param("jobs", uuids(tellings, telling -> telling.lease))
        .param("tenants", tenants(tellings, telling -> telling.lease))
        .param("epochs", epochs(tellings, telling -> telling.lease))
        .param("after", tellings.stream().map(Telling::after).toArray(Integer[]::new))
        .query(
            (row, index) ->
                standings.put(
                    new JobId(row.getObject("id", UUID.class)),
                    new Standing(
                        row.getInt("events"),
                        row.getBoolean("followed") ? Follower.A_PIECE : Follower.NO_PIECE,
                        row.getObject("stale", Integer.class))))
        .list();
    return standings;
  }

  /**
   * One piece a job. Its commit waits for the disk like any other: a number that a client has seen
   * must not be given to another event after a crash of the database.
   *
   * @return the jobs whose piece was appended. For the others look again: a row that somebody else
   *     holds is left out, so that no job's text waits for another's
   */
  @Fenced
  public Set<JobId> append(List<Piece> pieces) {
    if (pieces.isEmpty() || pieces.size() > MOST) {
      throw new IllegalArgumentException("1 to " + MOST + " pieces are appended at once");
    }
    Set<JobId> appended = insert(pieces);
    appended.forEach(job -> notifier.send(Channel.APPENDED, job));
    return appended;
  }

  private Set<JobId> insert(List<Piece> pieces) {
    return new HashSet<>(
        database
            .sql()
            .sql(
                """
                with new as (
                  select * from unnest(cast(:jobs as uuid[]), cast(:tenants as text[]),
                    cast(:epochs as bigint[]), cast(:after as int[]), cast(:types as text[]),
                    cast(:data as text[])) as new(job, tenant, epoch, after, type, data)),
                free as (
                  select job.id, new.type, new.data from new
                  join job on job.id = new.job and job.tenant_id = new.tenant
                    and job.epoch = new.epoch and job.status = 'in_progress' and job.events = new.after
                  for no key update of job skip locked),
                raised as (
                  update job set events = events + 1 from free where job.id = free.id
                  returning job.id, job.tenant_id, job.events, free.type, free.data)
                insert into event (job_id, number, tenant_id, type, data)
                select id, events, tenant_id, type, data from raised
                returning job_id
                """)
            .param("jobs", uuids(pieces, piece -> piece.lease))
            .param("tenants", tenants(pieces, piece -> piece.lease))
            .param("epochs", epochs(pieces, piece -> piece.lease))
            .param("after", pieces.stream().map(Piece::after).toArray(Integer[]::new))
            .param("types", pieces.stream().map(piece -> piece.type.text()).toArray(String[]::new))
            .param("data", pieces.stream().map(Piece::data).toArray(String[]::new))
            .query((row, index) -> new JobId(row.getObject("job_id", UUID.class)))
            .list());
  }

  private static <T> UUID[] uuids(Collection<T> all, Function<T, Lease> lease) {
    return all.stream().map(one -> lease.apply(one).job().value()).toArray(UUID[]::new);
  }

  private static <T> String[] tenants(Collection<T> all, Function<T, Lease> lease) {
    return all.stream().map(one -> lease.apply(one).tenant().value()).toArray(String[]::new);
  }

  private static <T> Long[] epochs(Collection<T> all, Function<T, Lease> lease) {
    return all.stream().map(one -> lease.apply(one).epoch().value()).toArray(Long[]::new);
  }
}
