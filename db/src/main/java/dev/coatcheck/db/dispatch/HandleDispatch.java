package dev.coatcheck.db.dispatch;

import dev.coatcheck.db.job.JobId;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.context.JobContext;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.runner.ThreadLocalJobContext;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Starts the run and waits for it. JobRunr may interrupt the waiting, when its server stops or
 * takes the dispatch for an orphan; the run goes on by its own rules.
 */
final class HandleDispatch implements DispatchHandler {
  private final RunStarter runs;
  private final ObjectProvider<BackgroundJobServer> server;

  HandleDispatch(RunStarter runs, ObjectProvider<BackgroundJobServer> server) {
    this.runs = runs;
    this.server = server;
  }

  @Override
  public void handle(RunDispatch request) throws Exception {
    JobContext context = ThreadLocalJobContext.getJobContext();
    var start =
        new RunStarter.Start(
            new JobId(request.job()),
            request.number(),
            SlotExecutor.SLOT.get(),
            text -> context.logger().info(text));
    Future<DispatchEnd> run = runs.start(start);
    try {
      show(run.get(), context.getJobId());
    } catch (ExecutionException e) {
      // What went wrong is logged where it did; JobRunr would store the text of the cause.
      throw new RunBrokeOff();
    }
  }

  private void show(DispatchEnd end, UUID dispatchId) throws InterruptedException {
    switch (end) {
      case DispatchEnd.Succeeded succeeded -> {}
      case DispatchEnd.Failed failed -> throw new DispatchFailed(failed.code());
      case DispatchEnd.Deleted deleted -> showDeleted(dispatchId);
    }
  }

  /** JobRunr leaves a dispatch alone that is DELETED when its handler is interrupted. */
  private void showDeleted(UUID dispatchId) throws InterruptedException {
    BackgroundJobServer current = server.getObject();
    for (Job job : current.getJobSteward().getJobsInProgress()) {
      if (job.getId().equals(dispatchId)) {
        job.delete("the job was cancelled");
        current.getStorageProvider().save(job);
        throw new InterruptedException("cancelled");
      }
    }
  }
}
