package dev.coatcheck.db.dispatch;

import org.jobrunr.JobRunrException;

/**
 * Shows a dispatch as FAILED with its job's error code. JobRunr stores an exception's text and
 * stack trace: there is none, and the text is the code.
 */
final class DispatchFailed extends JobRunrException {
  DispatchFailed(String code) {
    super(code, true);
  }

  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
