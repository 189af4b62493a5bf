package dev.coatcheck.db.lease;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
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
                  List<JobId> due = end();
                  if (!due.isEmpty()) {
                    closeAttempts(due);
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

  private List<JobId> end() {
    return database
        .sql()
        .sql(
            """
            with due as (
              select id, tenant_id from job
              where status in ('queued', 'in_progress', 'requires_action') and deadline_at <= now()
              order by deadline_at limit :batch for update skip locked)
            update job
            set status = 'expired', epoch = epoch + 1, lease_owner = null, lease_expires_at = null,
                ended_at = now(), wake_at = null, reason_code = null, reason_detail = null,
                error_code = 'deadline_exceeded', error_message = 'The deadline has passed'
            from due where job.id = due.id and job.tenant_id = due.tenant_id
            returning job.id
            """)
        .param("batch", BATCH)
        .query((row, index) -> new JobId(row.getObject(1, UUID.class)))
        .list();
  }

  /** A statement of its own, so that it sees an attempt opened just before the job was locked. */
  private void closeAttempts(List<JobId> jobs) {
    database
        .sql()
        .sql(
            """
            update attempt set state = 'indeterminate', ended_at = now(), billed = 'unknown'
            from job
            where job.id = any (string_to_array(:jobs, ',')::uuid[])
              and attempt.job_id = job.id and attempt.tenant_id = job.tenant_id
              and attempt.state = 'sending'
            """)
        .param("jobs", jobs.stream().map(JobId::toString).collect(Collectors.joining(",")))
        .update();
  }
}
