package dev.coatcheck.db.dispatch;

import dev.coatcheck.db.webhook.DeliveryId;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jobrunr.jobs.context.JobContext;
import org.jobrunr.server.runner.ThreadLocalJobContext;

/** Starts a try and waits for it; an interrupt of JobRunr's ends the waiting alone. */
final class HandleDelivery implements DeliveryHandler {
  private final DeliveryStarter deliveries;

  HandleDelivery(DeliveryStarter deliveries) {
    this.deliveries = deliveries;
  }

  @Override
  public void handle(RunDelivery request) throws Exception {
    JobContext context = ThreadLocalJobContext.getJobContext();
    var start =
        new DeliveryStarter.Start(
            new DeliveryId(request.delivery()),
            request.number(),
            SlotExecutor.SLOT.get(),
            text -> context.logger().info(text));
    Future<DispatchEnd> sent = deliveries.start(start);
    try {
      if (sent.get() instanceof DispatchEnd.Failed(String code)) {
        throw new DispatchFailed(code);
      }
    } catch (ExecutionException e) {
      // What went wrong is logged where it did; JobRunr would store the text of the cause.
      throw new RunBrokeOff();
    }
  }
}
