package dev.coatcheck.worker.run;

import dev.coatcheck.db.attempt.AttemptEnd;
import dev.coatcheck.db.attempt.AttemptEnd.Cause;
import dev.coatcheck.db.attempt.AttemptEnd.Counts;
import dev.coatcheck.db.attempt.PastAttempt;
import dev.coatcheck.db.attempt.TokenUsage;
import dev.coatcheck.db.step.NewToolCall;
import dev.coatcheck.db.step.TurnRecord;
import dev.coatcheck.worker.egress.AbortReason;
import dev.coatcheck.worker.egress.EgressResult.Reach;
import dev.coatcheck.worker.provider.Answer;
import dev.coatcheck.worker.provider.ProviderOutcome;
import dev.coatcheck.worker.provider.ProviderOutcome.Aborted;
import dev.coatcheck.worker.provider.ProviderOutcome.Answered;
import dev.coatcheck.worker.provider.Receipt;
import dev.coatcheck.worker.provider.Usage;
import dev.coatcheck.worker.retry.ErrorCode;
import dev.coatcheck.worker.retry.Failure;
import dev.coatcheck.worker.retry.Past;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts what a provider did into the words of the ledger. */
final class Ledger {
  private Ledger() {}

  static AttemptEnd answered(int number, Answered outcome) {
    return new AttemptEnd(
        number,
        "answered",
        Counts.YES,
        null,
        "yes",
        receipt(outcome),
        usage(outcome.answer().usage()));
  }

  static AttemptEnd failed(int number, Failure failure, ProviderOutcome outcome) {
    var wait = failure.serverWait();
    return new AttemptEnd(
        number,
        failure.state().text(),
        Counts.YES,
        new Cause(
            failure.code().text(), failure.upstream().code(), wait == null ? null : wait.length()),
        failure.billed().text(),
        receipt(outcome),
        null);
  }

  /** We gave it up. Where nothing was sent there is nothing to pay. */
  static AttemptEnd aborted(int number, Aborted outcome) {
    boolean nothingSent = outcome.reach() == Reach.NOTHING_SENT;
    return new AttemptEnd(
        number,
        nothingSent ? "unreachable" : "indeterminate",
        outcome.reason() == AbortReason.STOPPING ? Counts.NO : Counts.YES,
        null,
        nothingSent ? "no" : "unknown",
        receipt(outcome),
        null);
  }

  /** Its row was committed, but no socket was opened. */
  static AttemptEnd notBegun(int number) {
    return new AttemptEnd(
        number,
        "unreachable",
        Counts.NO,
        null,
        "no",
        new AttemptEnd.Receipt(null, null, 0, Duration.ZERO),
        null);
  }

  static TurnRecord turn(int number, int attempt, Answer answer, List<NewToolCall> calls) {
    return new TurnRecord(
        number, attempt, answer.message().toBytes(), answer.finishReason(), calls);
  }

  static Past past(PastAttempt attempt) {
    String code = attempt.errorCode();
    return new Past(code == null ? null : ErrorCode.of(code).orElse(null), attempt.providerCode());
  }

  private static AttemptEnd.Receipt receipt(ProviderOutcome outcome) {
    Receipt receipt = outcome.receipt();
    return new AttemptEnd.Receipt(
        receipt.httpStatus(), receipt.requestId(), receipt.responseBytes(), receipt.duration());
  }

  private static @Nullable TokenUsage usage(@Nullable Usage usage) {
    return usage == null
        ? null
        : new TokenUsage(
            usage.input(),
            usage.inputCached(),
            usage.cacheWrite(),
            usage.output(),
            usage.reasoning(),
            usage.json().toBytes());
  }
}
