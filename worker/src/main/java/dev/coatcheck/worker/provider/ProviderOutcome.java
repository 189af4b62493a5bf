package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.AbortReason;
import dev.coatcheck.worker.egress.EgressResult.Reach;
import dev.coatcheck.worker.retry.Failure;

/** How one attempt came out. */
public sealed interface ProviderOutcome {
  Receipt receipt();

  /** A whole, usable reply. Billed. */
  record Answered(Answer answer, Receipt receipt) implements ProviderOutcome {}

  /** The provider said no, in whatever way. */
  record Refused(Failure failure, Receipt receipt) implements ProviderOutcome {}

  /** Nothing was sent. */
  record Unreachable(Failure failure, Receipt receipt) implements ProviderOutcome {}

  /** Sent, or perhaps sent, and no whole reply. */
  record Indeterminate(Failure failure, Receipt receipt) implements ProviderOutcome {}

  /**
   * We gave it up ourselves. No failure of the provider: the run knows what to do by the reason.
   *
   * @param reach whether anything may have been sent, and so billed
   */
  record Aborted(AbortReason reason, Reach reach, Receipt receipt) implements ProviderOutcome {}
}
