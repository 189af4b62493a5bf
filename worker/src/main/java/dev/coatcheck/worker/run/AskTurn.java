package dev.coatcheck.worker.run;

import dev.coatcheck.db.attempt.AttemptEnd;
import dev.coatcheck.db.dispatch.DispatchEnd;
import dev.coatcheck.db.job.EndCode;
import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.lease.Departure;
import dev.coatcheck.db.lease.Departure.JobError;
import dev.coatcheck.db.lease.LeasedJob;
import dev.coatcheck.db.lease.LeaveJob.LastAct;
import dev.coatcheck.db.lease.Written;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.step.NewToolCall;
import dev.coatcheck.db.step.TurnRecord;
import dev.coatcheck.worker.egress.AbortReason;
import dev.coatcheck.worker.egress.OutboundCall;
import dev.coatcheck.worker.provider.Answer;
import dev.coatcheck.worker.provider.Dialogue;
import dev.coatcheck.worker.provider.Provider;
import dev.coatcheck.worker.provider.ProviderOutcome;
import dev.coatcheck.worker.provider.TextListener;
import dev.coatcheck.worker.provider.TurnRequest;
import dev.coatcheck.worker.retry.Bounds;
import dev.coatcheck.worker.retry.Failure;
import dev.coatcheck.worker.retry.History;
import dev.coatcheck.worker.retry.Past;
import dev.coatcheck.worker.retry.RetryDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One turn of one job: attempts, and the waits between them that are short enough to be waited for
 * in place. Each attempt is in the ledger before its socket opens.
 */
final class AskTurn {
  /** How long a job that found its provider's gate shut is parked. */
  static final Duration GATE_WAIT = Duration.ofSeconds(1);

  private final RunTurns run;
  private final AskModel model;
  private final Tenure tenure;
  private final LeaveRun leave;
  private final LeasedJob job;
  private final int number;
  private final Dialogue dialogue;
  private final List<Past> past;
  private int attempt;
  private boolean opened;

  AskTurn(RunTurns run, RunTurns.Start start) {
    this.run = run;
    this.model = run.model();
    this.tenure = run.tenure();
    this.leave = run.leave();
    this.job = tenure.job();
    this.number = start.number();
    this.attempt = start.lastAttempt();
    this.opened = start.isOpened();
    this.dialogue = start.dialogue();
    this.past = new ArrayList<>(start.past());
  }

  /** How the turn left the run. */
  sealed interface Result {
    /**
     * The run is over.
     *
     * @param end empty if the lease was lost
     */
    record Over(Optional<DispatchEnd> end) implements Result {}

    /**
     * The turn is recorded, and asks for tools.
     *
     * @param attempt that brought it
     */
    record Recorded(int attempt) implements Result {}
  }

  /** What to do after an attempt. */
  private sealed interface Next {
    /** Ask again after a pause in place. */
    record Pause(Duration length) implements Next {}

    /**
     * The run is over.
     *
     * @param end empty if the lease was lost
     */
    record Over(Optional<DispatchEnd> end) implements Next {}

    /** The turn is recorded, and asks for tools. */
    record Recorded() implements Next {}
  }

  Result ask(Provider provider) throws InterruptedException {
    if (past.size() >= job.budget().maxAttempts()) {
      return new Result.Over(leave.end(JobStatus.FAILED, unsent(), spent()));
    }
    while (true) {
      switch (step(provider)) {
        case Next.Over(var end) -> {
          return new Result.Over(end);
        }
        case Next.Recorded _ -> {
          return new Result.Recorded(attempt);
        }
        case Next.Pause(var length) -> {
          tenure.pause(length);
          reach(Checkpoint.K11_BETWEEN_STEPS);
        }
      }
    }
  }

  Result noProvider() throws InterruptedException {
    String message = "No provider named " + job.provider() + " is configured at the worker";
    return new Result.Over(
        leave.end(JobStatus.FAILED, unsent(), JobError.of(EndCode.MODEL_UNKNOWN, message)));
  }

  private Next step(Provider provider) throws InterruptedException {
    Optional<AbortReason> stopped = tenure.stopped();
    if (stopped.isPresent()) {
      return new Next.Over(leave.stop(stopped.get(), unsent()));
    }
    if (tenure.isPastDeadline()) {
      return new Next.Over(leave.stop(AbortReason.DEADLINE, unsent()));
    }
    try (ProviderGates.Passage passage = model.gates.enter(provider, model.retries.hold())) {
      return passage == null ? new Next.Over(parkAtGate(provider)) : attempt(provider);
    }
  }

  /** Nothing was sent since the last attempt; one that was opened for it is closed. */
  private LastAct unsent() {
    return opened ? new LastAct(Ledger.notBegun(attempt + 1), null) : LastAct.none();
  }

  private Next attempt(Provider provider) throws InterruptedException {
    attempt++;
    boolean isOpen = opened;
    opened = false;
    if (!isOpen
        && !leave.written(() -> model.stores.attempts().open(job.lease(), number, attempt))) {
      return new Next.Over(Optional.empty());
    }
    Optional<OutboundCall> call = tenure.begin();
    if (call.isEmpty()) {
      AbortReason reason = tenure.stopped().orElse(AbortReason.DEADLINE);
      return new Next.Over(leave.stop(reason, new LastAct(Ledger.notBegun(attempt), null)));
    }
    ProviderOutcome outcome = ask(provider, call.get());
    tenure.done();
    return conclude(outcome);
  }

  private ProviderOutcome ask(Provider provider, OutboundCall call) throws InterruptedException {
    if (!run.isStreamed()) {
      return provider.ask(request(null), call);
    }
    AttemptText text = model.stores.deltas().begin(job.lease(), number, attempt);
    try {
      ProviderOutcome outcome = provider.ask(request(text), call);
      if (outcome instanceof ProviderOutcome.Answered answered) {
        model.stores.deltas().finish(text, answered.answer().text(), leave::isTooLate);
      }
      return outcome;
    } finally {
      model.stores.deltas().end(text);
    }
  }

  private TurnRequest request(@Nullable TextListener listener) {
    Duration left = tenure.untilDeadline();
    Duration timeout = job.budget().attemptTimeout();
    return new TurnRequest(
        job.providerModel(),
        dialogue,
        run.params(),
        listener,
        left.compareTo(timeout) < 0 ? left : timeout);
  }

  private Next conclude(ProviderOutcome outcome) throws InterruptedException {
    return switch (outcome) {
      case ProviderOutcome.Answered answered -> record(answered);
      case ProviderOutcome.Refused refused -> fail(refused.failure(), outcome);
      case ProviderOutcome.Unreachable unreachable -> fail(unreachable.failure(), outcome);
      case ProviderOutcome.Indeterminate indeterminate -> fail(indeterminate.failure(), outcome);
      case ProviderOutcome.Aborted aborted ->
          new Next.Over(
              leave.stop(aborted.reason(), new LastAct(Ledger.aborted(attempt, aborted), null)));
    };
  }

  private Next record(ProviderOutcome.Answered answered) throws InterruptedException {
    Answer answer = answered.answer();
    reach(Checkpoint.K5_REPLIED);
    model.meters.attempt(job.provider(), "answered", "");
    run.log().line("attempt " + attempt + ": answered");
    boolean isLast = answer.stoppedShort() || number >= job.budget().maxTurns();
    if (answer.toolCalls().isEmpty() || isLast) {
      return new Next.Over(end(answered));
    }
    run.log().line("turn " + number + ": asks for tools");
    AttemptEnd end = Ledger.answered(attempt, answered);
    List<NewToolCall> calls = run.tools().plan(job.lease().job(), number, answer.toolCalls());
    TurnRecord turn = Ledger.turn(number, attempt, answer, calls);
    Supplier<Written> write = () -> model.stores.turns().record(job.lease(), end, turn);
    if (!leave.written(() -> model.stores.probe().write(Checkpoint.K6_RECORDED, write))) {
      return new Next.Over(Optional.empty());
    }
    reach(Checkpoint.K7_RECORD_KNOWN);
    return new Next.Recorded();
  }

  private Optional<DispatchEnd> end(ProviderOutcome.Answered answered) throws InterruptedException {
    Answer answer = answered.answer();
    List<NewToolCall> calls = run.tools().skip(job.lease().job(), number, answer.toolCalls());
    var act =
        new LastAct(
            Ledger.answered(attempt, answered), Ledger.turn(number, attempt, answer, calls));
    Optional<DispatchEnd> end = leave.leave(ended(answer), act);
    if (end.isPresent()) {
      reach(Checkpoint.K7_RECORD_KNOWN);
    }
    return end;
  }

  private Departure.Ended ended(Answer answer) {
    if (answer.stoppedShort()) {
      return new Departure.Ended(JobStatus.INCOMPLETE, answer.finishReason(), null);
    }
    if (answer.toolCalls().isEmpty()) {
      return new Departure.Ended(JobStatus.COMPLETED, answer.finishReason(), null);
    }
    String message =
        "The model asked for tools in its last turn, which is turn " + number + " by max_turns";
    return new Departure.Ended(
        JobStatus.INCOMPLETE, "turn_limit", JobError.of(EndCode.TURN_LIMIT, message));
  }

  private Next fail(Failure failure, ProviderOutcome outcome) throws InterruptedException {
    AttemptEnd end = Ledger.failed(attempt, failure, outcome);
    model.meters.attempt(job.provider(), end.state(), failure.code().text());
    RetryDecision decision =
        model.retries.policy().decide(failure, new History(past), bounds(), model.retries.random());
    past.add(new Past(failure.code(), failure.upstream().code()));
    return switch (decision) {
      case RetryDecision.Again again -> pause(again, failure, end);
      case RetryDecision.Later later -> new Next.Over(park(later, failure, end));
      case RetryDecision.Stop stop -> new Next.Over(giveUp(stop, failure, end));
    };
  }

  private Bounds bounds() {
    return new Bounds(job.budget().maxAttempts(), job.budget().maxWait(), tenure.untilDeadline());
  }

  private Next pause(RetryDecision.Again again, Failure failure, AttemptEnd end)
      throws InterruptedException {
    tell(failure, "again in " + again.pause().toMillis() + " ms");
    model.meters.waits(again.reason().code().text(), again.pause());
    return leave.written(() -> model.stores.attempts().pause(job.lease(), end, again.pause()))
        ? new Next.Pause(again.pause())
        : new Next.Over(Optional.empty());
  }

  private Optional<DispatchEnd> park(RetryDecision.Later later, Failure failure, AttemptEnd end)
      throws InterruptedException {
    tell(failure, "parked for " + later.pause().toMillis() + " ms");
    model.meters.waits(later.reason().code().text(), later.pause());
    var parked =
        new Departure.Parked(later.pause(), later.reason().code().text(), later.reason().detail());
    return leave.leave(parked, new LastAct(end, null));
  }

  private Optional<DispatchEnd> parkAtGate(Provider provider) throws InterruptedException {
    double spread = 1 + model.retries.random().nextDouble();
    Duration wait = Duration.ofMillis((long) (GATE_WAIT.toMillis() * spread));
    String detail = provider.maxConcurrency() + " calls to " + provider.name() + " are open";
    model.meters.waits("limit", wait);
    return leave.leave(new Departure.Parked(wait, "limit", detail), unsent());
  }

  private Optional<DispatchEnd> giveUp(RetryDecision.Stop stop, Failure failure, AttemptEnd end)
      throws InterruptedException {
    tell(failure, "given up, " + stop.code().text());
    JobStatus status =
        stop.code() == EndCode.DEADLINE_EXCEEDED ? JobStatus.EXPIRED : JobStatus.FAILED;
    return leave.end(
        status,
        new LastAct(end, null),
        new JobError(
            stop.code(),
            stop.retryable() == RetryDecision.Retryable.YES,
            stop.message(),
            new Departure.Upstream(
                failure.upstream().httpStatus(),
                failure.upstream().code(),
                failure.upstream().requestId())));
  }

  private JobError spent() {
    return JobError.of(
        EndCode.ATTEMPTS_EXHAUSTED,
        "All " + past.size() + " attempts failed. Last: the worker that made it was lost");
  }

  private void reach(Checkpoint point) {
    model.stores.probe().reach(point);
  }

  private void tell(Failure failure, String then) {
    run.log().line("attempt " + attempt + ": " + failure.code().text() + ", " + then);
  }
}
