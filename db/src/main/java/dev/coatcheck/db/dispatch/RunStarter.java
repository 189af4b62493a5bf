package dev.coatcheck.db.dispatch;

import dev.coatcheck.db.job.JobId;
import java.util.concurrent.Future;

/** Starts a run on a thread of its own. Implemented by the engine. */
@FunctionalInterface
public interface RunStarter {
  /**
   * Returns at once. The run takes the slot and releases it at its end; what JobRunr does with the
   * waiting thread does not touch it.
   */
  Future<DispatchEnd> start(Start start);

  /**
   * @param number the dispatch's number
   */
  record Start(JobId job, int number, Slot slot, DispatchLog log) {}
}
