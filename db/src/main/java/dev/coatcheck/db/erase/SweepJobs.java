package dev.coatcheck.db.erase;

import dev.coatcheck.db.dispatch.DeliveryDispatch;
import dev.coatcheck.db.dispatch.Dispatch;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.webhook.DeliveryId;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Forgets ended jobs whose time has come: their content after the retention, then the jobs
 * themselves, which keep their idempotency keys for a day at least. In small batches, so that
 * nothing waits for it; any number of workers at once.
 */
public final class SweepJobs {
  /** Erased, or removed, in one transaction. */
  static final int BATCH = 100;

  /** An idempotency key stands for its job at least so long after the end. */
  static final Duration KEEP_KEY = Duration.ofHours(24);

  /** Without retention: how long content stays that no webhook has carried off. */
  static final Duration KEEP_UNDELIVERED = Duration.ofHours(1);

  /** Without retention: how long a receiver has to fetch what its webhook told it of. */
  static final Duration KEEP_DELIVERED = Duration.ofSeconds(10);

  private final EngineDatabase database;
  private final EraseContent content;
  private final Duration retention;

  public SweepJobs(EngineDatabase database, RetentionSettings settings) {
    this.database = database;
    this.content = new EraseContent(database.sql());
    this.retention = settings.retention();
  }

  /**
   * Erases the content of up to {@link #BATCH} jobs.
   *
   * @return how many
   */
  public int erase() {
    return database
        .transaction()
        .execute(
            status -> {
              List<JobId> due = retention.isZero() ? dueWithoutRetention() : due();
              if (!due.isEmpty()) {
                content.erase(due);
              }
              return due.size();
            });
  }

  /**
   * Removes up to {@link #BATCH} jobs with all that belongs to them.
   *
   * @return how many
   */
  public int remove() {
    return database
        .transaction()
        .execute(
            status -> {
              List<Old> old = old();
              if (!old.isEmpty()) {
                String ids =
                    old.stream().map(job -> job.id.toString()).collect(Collectors.joining(","));
                removeDispatches(old, ids);
                removeRows(ids);
              }
              return old.size();
            });
  }

  private List<JobId> due() {
    return database
        .sql()
        .sql(
            """
            select id from job
            where ended_at <= now() - :retention_ms * interval '1 millisecond'
              and ended_at is not null and erased_at is null
            order by ended_at limit :batch for update skip locked
            """)
        .param("retention_ms", retention.toMillis())
        .param("batch", BATCH)
        .query((row, number) -> new JobId(row.getObject("id", UUID.class)))
        .list();
  }

  /** What a webhook still has to carry stays until it has. */
  private List<JobId> dueWithoutRetention() {
    return database
        .sql()
        .sql(
            """
            select id from job
            where ended_at <= now() - :delivered_ms * interval '1 millisecond'
              and ended_at is not null and erased_at is null
              and case
                when not has_webhook
                  then ended_at <= now() - :undelivered_ms * interval '1 millisecond'
                else not exists (
                    select from delivery
                    where delivery.job_id = job.id and delivery.tenant_id = job.tenant_id
                      and (state = 'pending' or state = 'delivered'
                        and settled_at > now() - :delivered_ms * interval '1 millisecond'))
                  and (ended_at <= now() - :undelivered_ms * interval '1 millisecond'
                    or not exists (
                      select from delivery
                      where delivery.job_id = job.id and delivery.tenant_id = job.tenant_id
                        and state = 'dead')) end
            order by ended_at limit :batch for update skip locked
            """)
        .param("delivered_ms", KEEP_DELIVERED.toMillis())
        .param("undelivered_ms", KEEP_UNDELIVERED.toMillis())
        .param("batch", BATCH)
        .query((row, number) -> new JobId(row.getObject("id", UUID.class)))
        .list();
  }

  private List<Old> old() {
    Duration kept = retention.compareTo(KEEP_KEY) > 0 ? retention : KEEP_KEY;
    return database
        .sql()
        .sql(
            """
            select id, dispatch_no from job
            where erased_at is not null and ended_at <= now() - :kept_ms * interval '1 millisecond'
              and not exists (
                select from delivery
                where delivery.job_id = job.id and delivery.tenant_id = job.tenant_id
                  and state = 'pending')
            order by ended_at limit :batch for update skip locked
            """)
        .param("kept_ms", kept.toMillis())
        .param("batch", BATCH)
        .query(
            (row, number) ->
                new Old(new JobId(row.getObject("id", UUID.class)), row.getInt("dispatch_no")))
        .list();
  }

  private void removeDispatches(List<Old> old, String ids) {
    Stream<UUID> runs =
        old.stream()
            .flatMap(
                job ->
                    IntStream.rangeClosed(1, job.dispatchNo)
                        .mapToObj(number -> Dispatch.idOf(job.id, number)));
    Stream<UUID> deliveries =
        database
            .sql()
            .sql(
                """
                select id, dispatch_no from delivery
                where job_id = any (string_to_array(:jobs, ',')::uuid[])
                """)
            .param("jobs", ids)
            .query(
                (row, number) ->
                    ofDelivery(row.getObject("id", UUID.class), row.getInt("dispatch_no")))
            .list()
            .stream()
            .flatMap(List::stream);
    database
        .sql()
        .sql(
            """
            delete from jobrunr_jobs
            where id = any (cast(string_to_array(:dispatches, ',') as char(36)[]))
            """)
        .param(
            "dispatches",
            Stream.concat(runs, deliveries).map(UUID::toString).collect(Collectors.joining(",")))
        .update();
  }

  private static List<UUID> ofDelivery(UUID delivery, int newest) {
    return IntStream.rangeClosed(1, newest)
        .mapToObj(number -> DeliveryDispatch.idOf(new DeliveryId(delivery), number))
        .toList();
  }

  /** The job goes first, so that whoever watches the others knows why. */
  private void removeRows(String ids) {
    for (String statement :
        List.of(
            "delete from job where id = any (string_to_array(:jobs, ',')::uuid[])",
            "delete from job_request where job_id = any (string_to_array(:jobs, ',')::uuid[])",
            "delete from turn where job_id = any (string_to_array(:jobs, ',')::uuid[])",
            "delete from tool_call where job_id = any (string_to_array(:jobs, ',')::uuid[])",
            "delete from attempt where job_id = any (string_to_array(:jobs, ',')::uuid[])",
            "delete from event where job_id = any (string_to_array(:jobs, ',')::uuid[])",
            "delete from webhook where job_id = any (string_to_array(:jobs, ',')::uuid[])",
            """
            delete from delivery_attempt using delivery
            where delivery.id = delivery_id and delivery.tenant_id = delivery_attempt.tenant_id
              and job_id = any (string_to_array(:jobs, ',')::uuid[])
            """,
            "delete from delivery where job_id = any (string_to_array(:jobs, ',')::uuid[])")) {
      database.sql().sql(statement).param("jobs", ids).update();
    }
  }

  private record Old(JobId id, int dispatchNo) {}
}
