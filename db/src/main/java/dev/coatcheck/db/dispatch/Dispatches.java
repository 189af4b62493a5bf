package dev.coatcheck.db.dispatch;

import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jobrunr.jobs.Job;
import org.jobrunr.jobs.JobDetails;
import org.jobrunr.jobs.states.EnqueuedState;
import org.jobrunr.jobs.states.JobState;
import org.jobrunr.jobs.states.ScheduledState;
import org.jobrunr.storage.ConcurrentJobModificationException;
import org.jobrunr.storage.JobNotFoundException;
import org.jobrunr.storage.StorageException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;

/** Makes dispatches, inside the transaction that makes the fact they stand for. */
public final class Dispatches {
  private static final Logger log = LoggerFactory.getLogger(Dispatches.class);

  private final DispatchStorage storage;
  private final Notifier notifier;

  public Dispatches(DispatchStorage storage, Notifier notifier) {
    this.storage = storage;
    this.notifier = notifier;
  }

  /** Makes a dispatch that may be picked up as soon as the thread's transaction has committed. */
  public void create(Dispatch dispatch) {
    save(dispatch, new EnqueuedState());
  }

  /** Makes the first dispatch of a job that is new in the same transaction. */
  public void createFirst(Dispatch dispatch, Optional<Instant> due) {
    storage.insert(
        job(
            dispatch,
            due.<JobState>map(at -> new ScheduledState(at, "not before"))
                .orElseGet(EnqueuedState::new)));
  }

  /** Makes a dispatch for that instant of the database's clock. */
  public void createAt(Dispatch dispatch, Instant due) {
    save(dispatch, new ScheduledState(due, "wake " + dispatch.number()));
  }

  /** Makes a dispatch of a delivery, new in the thread's transaction. */
  public void createNew(DeliveryDispatch dispatch) {
    var job =
        new Job(
            dispatch.id(),
            new JobDetails(new RunDelivery(dispatch.delivery().value(), dispatch.number())),
            new EnqueuedState());
    job.setJobName(dispatch.name());
    job.setLabels(dispatch.labels());
    try {
      storage.insert(job);
    } catch (StorageException e) {
      throw new DataAccessResourceFailureException("the dispatch could not be stored", e);
    }
  }

  /** Wakes the workers. Call it after the commit. */
  public void announce(JobId job) {
    notifier.send(Channel.DISPATCHED, job);
  }

  /**
   * Shows a dispatch that nobody runs as deleted, if it can. Nothing depends on it: a worker that
   * picks it up finds the job ended.
   */
  public void discard(UUID dispatchId) {
    try {
      Job job = storage.getJobById(dispatchId);
      job.delete("the job was cancelled");
      storage.save(job);
    } catch (JobNotFoundException | ConcurrentJobModificationException | IllegalStateException e) {
      log.debug("a dispatch was not discarded, it has moved on");
    } catch (StorageException e) {
      log.debug("a dispatch was not discarded, the database is away");
    }
  }

  private static Job job(Dispatch dispatch, JobState state) {
    var job =
        new Job(
            dispatch.id(),
            new JobDetails(new RunDispatch(dispatch.job().value(), dispatch.number())),
            state);
    job.setJobName(dispatch.name());
    job.setLabels(dispatch.labels());
    return job;
  }

  private void save(Dispatch dispatch, JobState state) {
    try {
      storage.save(job(dispatch, state));
    } catch (ConcurrentJobModificationException made) {
      log.debug("a dispatch of this number exists already");
    } catch (StorageException e) {
      throw new DataAccessResourceFailureException("the dispatch could not be stored", e);
    }
  }
}
