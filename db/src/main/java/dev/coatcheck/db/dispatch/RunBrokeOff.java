package dev.coatcheck.db.dispatch;

/** A run could not reach the database, or failed by a fault of ours: it is woken again. */
final class RunBrokeOff extends RuntimeException {
  RunBrokeOff() {
    super("the run broke off; it is tried again", null, false, false);
  }
}
