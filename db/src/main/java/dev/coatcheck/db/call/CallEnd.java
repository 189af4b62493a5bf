package dev.coatcheck.db.call;

/** What came of a call that was run. */
public sealed interface CallEnd {
  record Done(CallResult result) implements CallEnd {}

  /**
   * The model is told.
   *
   * @param error masked and bounded
   */
  record Failed(String error) implements CallEnd {}

  /**
   * It was sent, and nobody knows what came of it.
   *
   * @param why masked and bounded
   */
  record InDoubt(String why) implements CallEnd {}
}
