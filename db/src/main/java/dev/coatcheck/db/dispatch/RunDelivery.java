package dev.coatcheck.db.dispatch;

import java.util.UUID;
import org.jobrunr.jobs.lambdas.JobRequest;

/**
 * All that JobRunr stores of a delivery: which, and which of its dispatches.
 *
 * @param delivery the delivery's id
 * @param number the dispatch's number, from 1
 */
public record RunDelivery(UUID delivery, int number) implements JobRequest {
  @Override
  public Class<DeliveryHandler> getJobRequestHandler() {
    return DeliveryHandler.class;
  }
}
