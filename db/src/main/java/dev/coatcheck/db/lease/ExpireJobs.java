package dev.coatcheck.db.lease;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.step.EndCalls;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;

/** Ends every open job whose deadline has passed, whatever it was doing or waiting for. */
public final class ExpireJobs {
  /** Expired in one statement. */
  static final int BATCH = 200;

  private final EngineDatabase database;
  private final Notifier notifier;

  public ExpireJobs(EngineDatabase database, Notifier notifier) {
    this.database = database;
    this.notifier = notifier;
  }

  /**
   * Expires up to {@link #BATCH} jobs; a call that is still open for one is aborted.
   *
   * @return the jobs expired
   */
  public List<JobId> expire() {
    List<JobId> jobs =
        database
            .transaction()
            .execute(
                status -> {
                  List<JobId> due = due();
                  if (!due.isEmpty()) {
                    EndCalls.of(database.sql(), due);
                    end(due);
                  }
                  return due;
                });
    jobs.forEach(
        job -> {
          notifier.send(Channel.CANCELLED, job);
          notifier.send(Channel.CHANGED, job);
        });
    return jobs;
  }

  private List<JobId> due() {
    return database
        .sql()
        .sql(
            """
            select id from job
            where status in ('queued', 'in_progress', 'requires_action') and deadline_at <= now()
            order by deadline_at limit :batch for no key update skip locked
            """)
        .param("batch", BATCH)
        .query((row, index) -> new JobId(row.getObject(1, UUID.class)))
        .list();
  }

  /** A statement of its own, so that it sees an attempt opened just before the job was locked. */
  private void end(List<JobId> jobs) {
    database
        .sql()
        .sql(
            """
            with closed as (
              update attempt set state = 'indeterminate', ended_at = now(), billed = 'unknown'
              from job
              where job.id = any (string_to_array(:jobs, ',')::uuid[])
                and attempt.job_id = job.id and attempt.tenant_id = job.tenant_id
                and attempt.state = 'sending'
              returning attempt.job_id, attempt.number, event_of_attempt(attempt) as shown),
            ended as (
              update job
              set status = 'expired', epoch = epoch + 1, lease_owner = null, lease_expires_at = null,
                  ended_at = now(), wake_at = null, reason_code = null, reason_detail = null,
                  error_code = 'deadline_exceeded', error_message = 'The deadline has passed',
                  events = events + 1
                    + (select count(*) from closed where closed.job_id = job.id)
              where id = any (string_to_array(:jobs, ',')::uuid[])
              returning id, tenant_id, events)
            insert into event (job_id, number, tenant_id, type, data)
            select ended.id,
              ended.events - row_number() over (partition by ended.id order by closed.number desc),
              ended.tenant_id, 'attempt.ended', closed.shown
            from ended join closed on closed.job_id = ended.id
            union all
            select id, events, tenant_id, 'job.expired', event_of_end('expired', 'deadline_exceeded')
            from ended
            """)
        .param("jobs", jobs.stream().map(JobId::toString).collect(Collectors.joining(",")))
        .update();
  }
}
