package dev.coatcheck.db.dispatch;

import java.util.UUID;
import org.jobrunr.jobs.lambdas.JobRequest;

/**
 * All that JobRunr stores of ours: which job, and which of its dispatches.
 *
 * @param job the job's id
 * @param number the dispatch's number, from 1
 */
public record RunDispatch(UUID job, int number) implements JobRequest {
  @Override
  public Class<DispatchHandler> getJobRequestHandler() {
    return DispatchHandler.class;
  }
}
