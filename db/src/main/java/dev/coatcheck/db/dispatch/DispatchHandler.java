package dev.coatcheck.db.dispatch;

import org.jobrunr.jobs.lambdas.JobRequestHandler;

/**
 * What JobRunr calls. An interface with a {@code run}, since the process that enqueues must have
 * the type on its class path, and JobRunr refuses one whose {@code run} is abstract. Public, since
 * JobRunr calls it by reflection.
 */
public interface DispatchHandler extends JobRequestHandler<RunDispatch> {
  @Override
  default void run(RunDispatch request) throws Exception {
    handle(request);
  }

  void handle(RunDispatch request) throws Exception;
}
