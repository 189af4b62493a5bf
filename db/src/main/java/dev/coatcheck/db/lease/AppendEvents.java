package dev.coatcheck.db.lease;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.NewEvent;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
import java.util.List;
import java.util.Optional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Appends what a run tells while it holds its job: what is streamed, what its tools do. */
public final class AppendEvents {
  /** Events in one call. */
  public static final int MOST = 200;

  private final EngineDatabase database;
  private final Notifier notifier;

  public AppendEvents(EngineDatabase database, Notifier notifier) {
    this.database = database;
    this.notifier = notifier;
  }

  /**
   * Appends them in this order, in the thread's transaction if there is one. Done twice it appends
   * them twice: after a commit whose answer was lost, the caller must know what to do.
   *
   * @return the number of the first; empty if the lease was lost, and nothing was appended
   */
  @Fenced
  public Optional<Integer> append(Lease lease, List<NewEvent> events) {
    if (events.isEmpty() || events.size() > MOST) {
      throw new IllegalArgumentException("1 to " + MOST + " events are appended at once");
    }
    Optional<Integer> first = insert(lease, events);
    first.ifPresent(_ -> tellAfterCommit(lease.job()));
    return first;
  }

  private Optional<Integer> insert(Lease lease, List<NewEvent> events) {
    return database
        .sql()
        .sql(
            """
            with raised as (
              update job set events = events + :count
              where id = :job and tenant_id = :tenant and epoch = :epoch and status = 'in_progress'
              returning id, tenant_id, events - :count as before),
            told as (
              insert into event (job_id, number, tenant_id, type, data)
              select id, before + new.ordinal, tenant_id, new.type, new.data
              from raised cross join
                unnest(cast(:types as text[]), cast(:data as text[])) with ordinality
                  as new(type, data, ordinal))
            select before + 1 from raised
            """)
        .param("count", events.size())
        .param("types", events.stream().map(event -> event.type().text()).toArray(String[]::new))
        .param("data", events.stream().map(NewEvent::data).toArray(String[]::new))
        .param("job", lease.job().value())
        .param("tenant", lease.tenant().value())
        .param("epoch", lease.epoch().value())
        .query((row, index) -> row.getInt(1))
        .optional();
  }

  private void tellAfterCommit(JobId job) {
    if (!TransactionSynchronizationManager.isSynchronizationActive()) {
      notifier.send(Channel.APPENDED, job);
      return;
    }
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            notifier.send(Channel.APPENDED, job);
          }
        });
  }
}
