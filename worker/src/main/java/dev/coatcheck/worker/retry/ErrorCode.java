package dev.coatcheck.worker.retry;

import static dev.coatcheck.worker.retry.AskAgain.ALWAYS;
import static dev.coatcheck.worker.retry.AskAgain.NEVER;
import static dev.coatcheck.worker.retry.AskAgain.ONCE;

import dev.coatcheck.db.job.EndCode;
import java.util.Locale;
import java.util.Optional;

/**
 * Why an attempt failed: {@code error_code} of the API. Each with how often it is asked again and
 * the code of a job that ends on it; docs/retries.md is this table with its causes. The provider
 * may overrule the second column ({@code x-should-retry}), a {@link Failure} says how it came out.
 */
public enum ErrorCode {
  PROVIDER_UNREACHABLE(ALWAYS, EndCode.ATTEMPTS_EXHAUSTED),
  PROVIDER_TIMEOUT(ALWAYS, EndCode.ATTEMPTS_EXHAUSTED),
  PROVIDER_ERROR(ALWAYS, EndCode.ATTEMPTS_EXHAUSTED),
  PROVIDER_OVERLOADED(ALWAYS, EndCode.ATTEMPTS_EXHAUSTED),
  RATE_LIMITED(ALWAYS, EndCode.ATTEMPTS_EXHAUSTED),
  STREAM_INTERRUPTED(ALWAYS, EndCode.ATTEMPTS_EXHAUSTED),
  INVALID_RESPONSE(ONCE, EndCode.INVALID_RESPONSE),
  PROVIDER_AUTH(NEVER, EndCode.PROVIDER_AUTH),
  BILLING(NEVER, EndCode.BILLING),
  MODEL_UNKNOWN(NEVER, EndCode.MODEL_UNKNOWN),
  REQUEST_TOO_LARGE(NEVER, EndCode.REQUEST_TOO_LARGE),
  CONTEXT_TOO_LONG(NEVER, EndCode.CONTEXT_TOO_LONG),
  CONTENT_FILTERED(NEVER, EndCode.CONTENT_FILTERED),
  INVALID_REQUEST(NEVER, EndCode.INVALID_REQUEST);

  private final AskAgain askAgain;
  private final EndCode exhausted;

  ErrorCode(AskAgain askAgain, EndCode exhausted) {
    this.askAgain = askAgain;
    this.exhausted = exhausted;
  }

  /** How often to ask again, unless the provider says otherwise. */
  public AskAgain askAgain() {
    return askAgain;
  }

  /** The code of a job whose attempts are used up on this. */
  EndCode exhausted() {
    return exhausted;
  }

  /** The code of a job that ends on this because it must not be asked again. */
  EndCode refused() {
    return switch (this) {
      case PROVIDER_UNREACHABLE, PROVIDER_TIMEOUT, PROVIDER_ERROR, STREAM_INTERRUPTED ->
          EndCode.PROVIDER_ERROR;
      case PROVIDER_OVERLOADED -> EndCode.PROVIDER_OVERLOADED;
      case RATE_LIMITED -> EndCode.RATE_LIMITED;
      case INVALID_RESPONSE,
          PROVIDER_AUTH,
          BILLING,
          MODEL_UNKNOWN,
          REQUEST_TOO_LARGE,
          CONTEXT_TOO_LONG,
          CONTENT_FILTERED,
          INVALID_REQUEST ->
          exhausted;
    };
  }

  /** The name in the API and in the database. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads a name from the database; empty for one that is none of ours. */
  public static Optional<ErrorCode> of(String text) {
    for (ErrorCode code : values()) {
      if (code.text().equals(text)) {
        return Optional.of(code);
      }
    }
    return Optional.empty();
  }
}
