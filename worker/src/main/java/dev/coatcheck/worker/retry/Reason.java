package dev.coatcheck.worker.retry;

import java.util.Locale;

/**
 * Why a job waits, for its caller to read.
 *
 * @param detail one line: {@code openai answered 429, Retry-After 30 s}
 */
public record Reason(Code code, String detail) {
  /** {@code status_reason.code} of the API. */
  public enum Code {
    RATE_LIMITED,
    BACKOFF;

    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
