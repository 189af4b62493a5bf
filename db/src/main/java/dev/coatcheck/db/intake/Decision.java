package dev.coatcheck.db.intake;

import dev.coatcheck.db.call.CallResult;

/** What a person or the caller decides about a tool call. */
public sealed interface Decision {
  /** It may run. */
  record Approve() implements Decision {}

  /**
   * It may not.
   *
   * @param reason for the model; may be empty
   */
  record Deny(String reason) implements Decision {}

  /**
   * The caller ran it.
   *
   * @param content what was sent, in its canonical form: to know it again
   */
  record Output(CallResult result, byte[] content) implements Decision {}

  /** The caller ran it, and it failed. */
  record Failed(String error) implements Decision {}

  /**
   * It was in doubt, and it was done.
   *
   * @param content what was sent, in its canonical form
   */
  record Done(CallResult result, byte[] content) implements Decision {}

  /** It was in doubt, and it was not done: it is run again. */
  record NotDone() implements Decision {}
}
