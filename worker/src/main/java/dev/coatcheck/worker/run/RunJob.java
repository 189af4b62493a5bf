package dev.coatcheck.worker.run;

import dev.coatcheck.db.dispatch.DispatchEnd;
import dev.coatcheck.db.dispatch.RunStarter.Start;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.lease.AcquireJob;
import dev.coatcheck.db.lease.Acquisition;
import dev.coatcheck.db.lease.FindEnd;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.lease.LeasedJob;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.db.time.Ticks;
import dev.coatcheck.worker.lease.LeaseKeeper;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** One run: acquire the job, ask its model, leave it. */
public final class RunJob {
  private final AcquireJob acquire;
  private final LeaseKeeper keeper;
  private final AskModel ask;
  private final FindEnd ends;
  private final Probe probe;
  private final Tempo tempo;

  public RunJob(Stores stores, LeaseKeeper keeper, AskModel ask, Tempo tempo) {
    this.acquire = stores.acquire;
    this.ends = stores.ends;
    this.probe = stores.probe;
    this.keeper = keeper;
    this.ask = ask;
    this.tempo = tempo;
  }

  /**
   * Where a run begins and is looked up when it was lost.
   *
   * @param probe is told when it has begun
   */
  public record Stores(AcquireJob acquire, FindEnd ends, Probe probe) {}

  /** How long a lease runs, and by which clock. */
  public record Tempo(Duration lease, Ticks ticks) {}

  Ticks ticks() {
    return tempo.ticks;
  }

  /**
   * @param opened told once the job is ours
   * @param closed told when the tenure is over
   */
  DispatchEnd run(Start start, Consumer<Tenure> opened, Consumer<Tenure> closed)
      throws InterruptedException {
    long asked = tempo.ticks.nanos();
    return switch (acquire(start)) {
      case Acquisition.NotOurs _ -> new DispatchEnd.Succeeded();
      case Acquisition.Acquired(LeasedJob job) -> {
        var tenure = new Tenure(job, asked, tempo.lease, tempo.ticks);
        keeper.keep(tenure);
        opened.accept(tenure);
        try {
          yield shown(job.lease(), ask.ask(tenure, start.log()));
        } finally {
          keeper.drop(tenure);
          closed.accept(tenure);
        }
      }
    };
  }

  private Acquisition acquire(Start start) {
    return probe.write(Checkpoint.K1_ACQUIRED, () -> acquire.acquire(start.job(), start.number()));
  }

  private DispatchEnd shown(Lease lost, Optional<DispatchEnd> end) {
    return end.orElseGet(
        () -> ends.find(lost).map(RunJob::shown).orElseGet(DispatchEnd.Succeeded::new));
  }

  private static DispatchEnd shown(FindEnd.End end) {
    return shown(end.status(), end.errorCode() == null ? "" : end.errorCode());
  }

  static DispatchEnd shown(JobStatus status, String code) {
    return switch (status) {
      case QUEUED, IN_PROGRESS, REQUIRES_ACTION, COMPLETED, INCOMPLETE ->
          new DispatchEnd.Succeeded();
      case FAILED, EXPIRED -> new DispatchEnd.Failed(code);
      case CANCELLED -> new DispatchEnd.Deleted();
    };
  }
}
