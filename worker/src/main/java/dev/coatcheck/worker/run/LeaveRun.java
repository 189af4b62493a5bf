package dev.coatcheck.worker.run;

import dev.coatcheck.db.dispatch.DispatchEnd;
import dev.coatcheck.db.job.EndCode;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.lease.Departure;
import dev.coatcheck.db.lease.Departure.JobError;
import dev.coatcheck.db.lease.LeaveJob.LastAct;
import dev.coatcheck.db.lease.Written;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.worker.egress.AbortReason;
import java.util.Optional;
import java.util.function.Supplier;

/** Ends a run: writes how the job is left, and insists on it. */
final class LeaveRun {
  private final AskModel model;
  private final Tenure tenure;

  LeaveRun(AskModel model, Tenure tenure) {
    this.model = model;
    this.tenure = tenure;
  }

  /** Empty if the lease was lost. */
  Optional<DispatchEnd> leave(Departure departure, LastAct act) throws InterruptedException {
    if (departure instanceof Departure.Ended) {
      model.stores.probe().reach(Checkpoint.K12_ENDING);
    }
    if (!written(() -> leaveOnce(departure, act))) {
      return Optional.empty();
    }
    return Optional.of(
        switch (departure) {
          case Departure.Parked _, Departure.Released _ -> new DispatchEnd.Succeeded();
          case Departure.Ended ended -> shown(ended);
        });
  }

  Optional<DispatchEnd> end(JobStatus status, LastAct act, JobError error)
      throws InterruptedException {
    return leave(new Departure.Ended(status, null, error), act);
  }

  Optional<DispatchEnd> stop(AbortReason reason, LastAct act) throws InterruptedException {
    return switch (reason) {
      case CANCELLED, LEASE_LOST -> lost();
      case STOPPING -> leave(new Departure.Released(), act);
      case DEADLINE ->
          end(
              JobStatus.EXPIRED,
              act,
              JobError.of(EndCode.DEADLINE_EXCEEDED, "The deadline has passed"));
    };
  }

  /** Somebody else writes now, or the job has ended. */
  Optional<DispatchEnd> lost() {
    model.meters.leaseLost();
    return Optional.empty();
  }

  /** Writes until it is done, refused by the epoch, or too late to matter. */
  boolean written(Supplier<Written> write) throws InterruptedException {
    Optional<Written> written = model.stores.insist().on(write, this::isTooLate);
    if (written.equals(Optional.of(Written.YES))) {
      return true;
    }
    if (written.equals(Optional.of(Written.LEASE_LOST))) {
      model.meters.writeRefused();
    }
    model.meters.leaseLost();
    return false;
  }

  boolean isTooLate() {
    return tenure.isPastDeadline()
        || tenure.stopped().filter(reason -> reason != AbortReason.STOPPING).isPresent();
  }

  private Written leaveOnce(Departure departure, LastAct act) {
    Supplier<Written> leave = () -> model.stores.leave().leave(tenure.job(), departure, act);
    Supplier<Written> recorded =
        act.turn() == null
            ? leave
            : () -> model.stores.probe().write(Checkpoint.K6_RECORDED, leave);
    return model.stores.probe().write(farSide(departure), recorded);
  }

  private static Checkpoint farSide(Departure departure) {
    return switch (departure) {
      case Departure.Parked _ -> Checkpoint.K16_PARKED;
      case Departure.Released _ -> Checkpoint.K20_STOPPING;
      case Departure.Ended _ -> Checkpoint.K13_ENDED;
    };
  }

  private DispatchEnd shown(Departure.Ended ended) {
    model.meters.ended(ended.status().text());
    return RunJob.shown(ended.status(), ended.error() == null ? "" : ended.error().code().text());
  }
}
