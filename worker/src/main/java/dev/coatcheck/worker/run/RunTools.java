package dev.coatcheck.worker.run;

import dev.coatcheck.db.call.AwaitPeople;
import dev.coatcheck.db.call.ToolCallRow;
import dev.coatcheck.db.dispatch.DispatchEnd;
import dev.coatcheck.db.job.RequestBody;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.lease.Departure;
import dev.coatcheck.db.lease.LeaveJob.LastAct;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.tool.CallState;
import dev.coatcheck.worker.egress.AbortReason;
import dev.coatcheck.worker.tool.JobFacts;
import dev.coatcheck.worker.tool.Toolbox;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Brings the calls of a recorded turn to their end: first those that need nobody, side by side,
 * then the job waits for people. What is to be done is read from the database each time.
 */
final class RunTools {
  private static final RawJson NO_METADATA = RawJson.of("{}".getBytes(StandardCharsets.UTF_8));

  private final AskModel model;
  private final Toolbox box;
  private final Tenure tenure;
  private final LeaveRun leave;
  private final ToolHost host;
  private final JobFacts facts;

  RunTools(AskModel model, Tenure tenure, LeaveRun leave, RequestBody body) {
    this.model = model;
    this.box = model.tools;
    this.tenure = tenure;
    this.leave = leave;
    this.host = new ToolHost(tenure);
    this.facts =
        new JobFacts(body.member("metadata").orElse(NO_METADATA), tenure.job().budget().maxWait());
  }

  /** What is next. */
  sealed interface Step {
    /** All calls have something to tell the model. */
    record Ask() implements Step {}

    /**
     * The run is over.
     *
     * @param end empty if the lease was lost
     */
    record Over(Optional<DispatchEnd> end) implements Step {}
  }

  Step run(int turn) throws InterruptedException {
    while (true) {
      Optional<List<ToolCallRow>> open =
          model
              .stores
              .insist()
              .on(() -> box.calls().calls().open(tenure.lease(), turn), leave::isTooLate);
      if (open.isEmpty()) {
        return new Step.Over(leave.lost());
      }
      if (open.get().isEmpty()) {
        return new Step.Ask();
      }
      Optional<Step> over = go(open.get());
      if (over.isPresent()) {
        return over.get();
      }
    }
  }

  /** Empty if there is more to look at. */
  private Optional<Step> go(List<ToolCallRow> open) throws InterruptedException {
    List<ToolCallRow> runnable = open.stream().filter(RunTools::isRunnable).toList();
    if (!runnable.isEmpty()) {
      return work(runnable);
    }
    Optional<ToolCallRow.Wait> wait =
        open.stream()
            .filter(call -> call.state() == CallState.PENDING)
            .flatMap(call -> Optional.ofNullable(call.progress().rest()).stream())
            .min(Comparator.comparing(ToolCallRow.Wait::left));
    return wait.isPresent() ? park(wait.get()) : awaitPeople();
  }

  private static boolean isRunnable(ToolCallRow call) {
    return call.state() == CallState.RUNNING
        || (call.state() == CallState.PENDING && call.progress().rest() == null);
  }

  private Optional<Step> work(List<ToolCallRow> runnable) throws InterruptedException {
    return switch (box.run(runnable, host, facts)) {
      case RECORDED -> {
        model.stores.probe().reach(Checkpoint.K11_BETWEEN_STEPS);
        yield Optional.empty();
      }
      case LEASE_LOST -> over(leave.lost());
      case STOPPED ->
          over(leave.stop(host.stopped().orElse(AbortReason.LEASE_LOST), LastAct.none()));
    };
  }

  private Optional<Step> park(ToolCallRow.Wait wait) throws InterruptedException {
    Optional<AbortReason> stopped = host.stopped();
    if (stopped.isPresent()) {
      return over(leave.stop(stopped.get(), LastAct.none()));
    }
    model.meters.waits(wait.code(), wait.left());
    if (wait.left().compareTo(model.retries.hold()) <= 0) {
      tenure.pause(wait.left());
      return Optional.empty();
    }
    return over(
        leave.leave(new Departure.Parked(wait.left(), wait.code(), wait.detail()), LastAct.none()));
  }

  private Optional<Step> awaitPeople() throws InterruptedException {
    Optional<AwaitPeople.Result> result =
        model
            .stores
            .insist()
            .on(
                () ->
                    model
                        .stores
                        .probe()
                        .write(
                            Checkpoint.K16_PARKED,
                            () -> box.calls().people().leave(tenure.lease())),
                leave::isTooLate);
    return switch (result.orElse(AwaitPeople.Result.LEASE_LOST)) {
      case WAITS -> over(Optional.of(new DispatchEnd.Succeeded()));
      case GO_ON -> Optional.empty();
      case LEASE_LOST -> over(leave.lost());
    };
  }

  private static Optional<Step> over(Optional<DispatchEnd> end) {
    return Optional.of(new Step.Over(end));
  }
}
