package dev.coatcheck.worker.tool;

import dev.coatcheck.db.call.CallEnd;
import dev.coatcheck.db.call.ClaimCall;
import dev.coatcheck.db.call.ClaimCall.Earlier;
import dev.coatcheck.db.call.ClaimCall.Send;
import dev.coatcheck.db.call.RecordCall.Wait;
import dev.coatcheck.db.call.ToolCallRow;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.lease.Written;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.tool.CallState;
import dev.coatcheck.db.tool.ToolSafety;
import dev.coatcheck.worker.egress.EgressResult.Reach;
import dev.coatcheck.worker.egress.OutboundCall;
import dev.coatcheck.worker.retry.AskAgain;
import dev.coatcheck.worker.retry.AttemptState;
import dev.coatcheck.worker.retry.Billed;
import dev.coatcheck.worker.retry.Bounds;
import dev.coatcheck.worker.retry.ErrorCode;
import dev.coatcheck.worker.retry.Failure;
import dev.coatcheck.worker.retry.History;
import dev.coatcheck.worker.retry.Past;
import dev.coatcheck.worker.retry.Reason;
import dev.coatcheck.worker.retry.RetryDecision;
import dev.coatcheck.worker.retry.ServerWait;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends one call until there is an answer: claimed, sent with no connection of the database in
 * hand, recorded. Each sending has the same effect key.
 */
final class SendCall {
  private final Toolbox box;
  private final Host host;
  private final JobFacts job;
  private final SendTool.Sending sending;
  private final Lease lease;
  private final ToolCallRow call;
  private int number;
  private Earlier earlier;

  SendCall(Toolbox box, Host host, JobFacts job, SendTool.Sending sending) {
    this.box = box;
    this.host = host;
    this.job = job;
    this.sending = sending;
    this.lease = sending.lease();
    this.call = sending.call();
    this.number = call.progress().sends();
    boolean isTakenOver = call.state() == CallState.RUNNING;
    this.earlier =
        call.progress().replyLost() || isTakenOver ? Earlier.REPLY_LOST : Earlier.ALL_ANSWERED;
  }

  /** What to do after a sending. */
  private sealed interface Next {
    /** Send again after a pause in place. */
    record Pause(RetryDecision.Again again) implements Next {}

    record Over(CallRun run) implements Next {}
  }

  CallRun run() throws InterruptedException {
    if (host.stopped().isPresent()) {
      return CallRun.STOPPED;
    }
    while (true) {
      switch (step()) {
        case Next.Over(CallRun run) -> {
          return run;
        }
        case Next.Pause(RetryDecision.Again again) -> {
          host.pause(again.pause());
          if (host.stopped().isPresent()) {
            // Left as it is, it would look like a sending whose reply was lost.
            return stopped(putOff(again.pause(), again.reason()));
          }
        }
      }
    }
  }

  private Next step() throws InterruptedException {
    number++;
    Optional<Next> refused = claim(new Send(number, earlier));
    if (refused.isPresent()) {
      return refused.get();
    }
    if (number > Limits.SENDS) {
      // Its last sending was lost with its worker.
      return new Next.Over(
          end(unknown("It was sent " + Limits.SENDS + " times and never answered")));
    }
    Optional<OutboundCall> open = host.beginTool();
    if (open.isEmpty()) {
      return new Next.Over(takeBack(earlier));
    }
    ToolOutcome outcome = box.send.send(sending, job, open.get());
    host.doneTool(open.get());
    box.stores.probe().reach(Checkpoint.K9_EFFECT_DONE);
    box.count(sending.tool().name(), outcome.name());
    return conclude(outcome);
  }

  /** Empty if the call is ours. One that has moved on is looked at again by the run. */
  private Optional<Next> claim(Send send) throws InterruptedException {
    Optional<ClaimCall.Result> result =
        box.stores
            .insist()
            .on(
                () ->
                    box.stores
                        .probe()
                        .write(
                            Checkpoint.K8_CLAIMED,
                            () -> box.stores.calls().claim().claim(lease, call.place(), send)),
                host::isTooLate);
    return switch (result.orElse(ClaimCall.Result.LEASE_LOST)) {
      case CLAIMED -> Optional.empty();
      case MOVED_ON -> Optional.of(new Next.Over(CallRun.RECORDED));
      case LEASE_LOST -> Optional.of(new Next.Over(CallRun.LEASE_LOST));
    };
  }

  private Next conclude(ToolOutcome outcome) throws InterruptedException {
    return switch (outcome) {
      case ToolOutcome.Answered answered -> new Next.Over(end(new CallEnd.Done(answered.result())));
      case ToolOutcome.Told told -> new Next.Over(end(new CallEnd.Failed(told.error())));
      case ToolOutcome.Aborted aborted -> new Next.Over(aborted(aborted.reach()));
      case ToolOutcome.NotSent notSent ->
          again(failure(ErrorCode.PROVIDER_UNREACHABLE, null, null, notSent.why()));
      case ToolOutcome.Refused refused ->
          mayRepeat()
              ? again(
                  failure(
                      refused.status() == 429 ? ErrorCode.RATE_LIMITED : ErrorCode.PROVIDER_ERROR,
                      refused.status(),
                      refused.asked(),
                      refused.why()))
              : new Next.Over(end(new CallEnd.InDoubt(refused.why())));
      case ToolOutcome.Lost lost -> lost(lost.why());
    };
  }

  private Next lost(String why) throws InterruptedException {
    if (!mayRepeat()) {
      return new Next.Over(end(new CallEnd.InDoubt(why)));
    }
    earlier = Earlier.REPLY_LOST;
    return again(failure(ErrorCode.PROVIDER_TIMEOUT, null, null, why));
  }

  private boolean mayRepeat() {
    return sending.tool().safety() != ToolSafety.AT_MOST_ONCE;
  }

  private Failure failure(
      ErrorCode code, @Nullable Integer status, @Nullable ServerWait wait, String message) {
    return new Failure(
        code,
        status == null ? AttemptState.INDETERMINATE : AttemptState.REFUSED,
        Billed.NO,
        AskAgain.ALWAYS,
        wait,
        new Failure.Upstream(sending.tool().name(), status, null, null),
        message);
  }

  private Next again(Failure failure) throws InterruptedException {
    var history = new History(Collections.nCopies(number - 1, new Past(null, null)));
    var bounds = new Bounds(Limits.SENDS, job.maxWait(), host.untilDeadline());
    RetryDecision decision =
        box.manner.retries().decide(failure, history, bounds, box.manner.random());
    return switch (decision) {
      case RetryDecision.Again again -> new Next.Pause(again);
      case RetryDecision.Later later -> new Next.Over(putOff(later.pause(), later.reason()));
      case RetryDecision.Stop _ -> new Next.Over(end(unknown(failure.message())));
    };
  }

  /** Gives the claim back, with what is known of the sendings so far. */
  private CallRun putOff(Duration length, Reason reason) throws InterruptedException {
    var wait = new Wait(length, reason.code().text(), reason.detail(), new Send(number, earlier));
    return recorded(() -> box.stores.calls().record().postpone(lease, call.place(), wait));
  }

  /** Sent as often as it may be: what is known of it. */
  private CallEnd unknown(String why) {
    boolean mayBeDone =
        earlier == Earlier.REPLY_LOST && sending.tool().safety() != ToolSafety.READ_ONLY;
    return mayBeDone
        ? new CallEnd.InDoubt(box.texts.of(why))
        : new CallEnd.Failed(box.texts.of(why));
  }

  /** Our process stops. What was sent may have been done. */
  private CallRun aborted(Reach reach) throws InterruptedException {
    if (reach == Reach.NOTHING_SENT) {
      return takeBack(earlier);
    }
    if (mayRepeat()) {
      return takeBack(Earlier.REPLY_LOST);
    }
    return stopped(end(new CallEnd.InDoubt("The worker stopped while it waited for the answer")));
  }

  /** This sending does not count. */
  private CallRun takeBack(Earlier known) throws InterruptedException {
    var wait = new Wait(Duration.ZERO, "ready", "", new Send(number - 1, known));
    return stopped(recorded(() -> box.stores.calls().record().postpone(lease, call.place(), wait)));
  }

  private static CallRun stopped(CallRun recorded) {
    return recorded == CallRun.RECORDED ? CallRun.STOPPED : recorded;
  }

  private CallRun end(CallEnd end) throws InterruptedException {
    return recorded(
        () ->
            box.stores
                .probe()
                .write(
                    Checkpoint.K10_RESULT_RECORDED,
                    () -> box.stores.calls().record().end(lease, call.place(), end)));
  }

  private CallRun recorded(Supplier<Written> write) throws InterruptedException {
    return RunCall.written(box.stores.insist().on(write, host::isTooLate));
  }
}
