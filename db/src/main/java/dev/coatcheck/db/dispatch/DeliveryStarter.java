package dev.coatcheck.db.dispatch;

import dev.coatcheck.db.webhook.DeliveryId;
import java.util.concurrent.Future;

/** Starts one try of a delivery on a thread of its own. Implemented by the sender. */
@FunctionalInterface
public interface DeliveryStarter {
  /** Returns at once. The try takes the slot and releases it at its end. */
  Future<DispatchEnd> start(Start start);

  /**
   * @param number the dispatch's number
   */
  record Start(DeliveryId delivery, int number, Slot slot, DispatchLog log) {}
}
