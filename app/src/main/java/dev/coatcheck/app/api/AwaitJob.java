package dev.coatcheck.app.api;

import dev.coatcheck.app.event.Waiters;
import dev.coatcheck.app.submit.Preference;
import dev.coatcheck.app.tenant.Caller;
import dev.coatcheck.db.intake.FindJob;
import dev.coatcheck.db.intake.JobView;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.tenant.TenantId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Duration;
import java.util.Optional;

/** Reads a job, after a while if the caller prefers to wait for its end. */
public final class AwaitJob {
  private final FindJob jobs;
  private final Waiters waiters;

  public AwaitJob(FindJob jobs, Waiters waiters) {
    this.jobs = jobs;
    this.waiters = waiters;
  }

  /** The job as it stands when it has ended, needs somebody, or the time is up. */
  Optional<JobView> find(JobId id, HttpServletRequest request, HttpServletResponse response) {
    TenantId tenant = Caller.of(request);
    Optional<Duration> wait = Preference.waitOf(request);
    if (wait.isPresent() && await(tenant, id, wait.get()) != Waiters.Outcome.FULL) {
      response.setHeader("Preference-Applied", "wait=" + wait.get().toSeconds());
    }
    return jobs.find(tenant, id);
  }

  /** The job as it stands now. */
  Optional<JobView> find(JobId id, HttpServletRequest request) {
    return jobs.find(Caller.of(request), id);
  }

  private Waiters.Outcome await(TenantId tenant, JobId id, Duration wait) {
    try {
      return waiters.await(
          id, wait, () -> jobs.status(tenant, id).filter(AwaitJob::isWaitedFor).isEmpty());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Waiters.Outcome.TIME_IS_UP;
    }
  }

  /** An unknown job is not waited for either. */
  private static boolean isWaitedFor(JobStatus status) {
    return status.isOpen() && status != JobStatus.REQUIRES_ACTION;
  }
}
