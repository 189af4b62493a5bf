package dev.coatcheck.db.dispatch;

import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.configuration.BackgroundJobServerWorkerPolicy;
import org.jobrunr.server.strategy.WorkDistributionStrategy;
import org.jobrunr.server.threadpool.JobRunrExecutor;
import org.jobrunr.storage.Paging.AmountBasedList;
import org.jobrunr.storage.navigation.AmountRequest;

/** Tells JobRunr that there is room for as many as there are free slots. */
record SlotPolicy(Slots slots) implements BackgroundJobServerWorkerPolicy {
  @Override
  public WorkDistributionStrategy toWorkDistributionStrategy(BackgroundJobServer server) {
    return new WorkDistributionStrategy() {
      @Override
      public int getWorkerCount() {
        return slots.capacity();
      }

      @Override
      public AmountRequest getWorkPageRequest() {
        return AmountBasedList.ascOnUpdatedAt(slots.of(DispatchKind.current()).free());
      }
    };
  }

  @Override
  public JobRunrExecutor toJobRunrExecutor() {
    return new SlotExecutor(slots);
  }
}
