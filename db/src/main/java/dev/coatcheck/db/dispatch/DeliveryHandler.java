package dev.coatcheck.db.dispatch;

import org.jobrunr.jobs.lambdas.JobRequestHandler;

/** What JobRunr calls for a delivery; as {@link DispatchHandler} in all else. */
public interface DeliveryHandler extends JobRequestHandler<RunDelivery> {
  @Override
  default void run(RunDelivery request) throws Exception {
    handle(request);
  }

  void handle(RunDelivery request) throws Exception;
}
