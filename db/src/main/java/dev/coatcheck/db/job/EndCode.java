package dev.coatcheck.db.job;

import java.util.Locale;
import java.util.Optional;

/**
 * Why a job ended without a usable answer: {@code error.code} of the API. Each with whether the
 * same body under a new key may succeed later without anybody changing it. The codes are documented
 * in docs/retries.md and never reused.
 */
public enum EndCode {
  /** The last allowed attempt failed in a way that could have been asked again. */
  ATTEMPTS_EXHAUSTED(true),
  /** The provider asks for a wait longer than {@code max_wait} or than the deadline leaves. */
  RETRY_AFTER_TOO_LONG(true),
  /** The job's deadline passed, or our own back-off would pass it. The job is expired. */
  DEADLINE_EXCEEDED(true),
  /** An answer that nobody can use, twice; or one that cannot become usable. */
  INVALID_RESPONSE(true),
  /** The tool loop reached {@code max_turns}. The job is incomplete. */
  TURN_LIMIT(false),
  /** A tool's effect is unknown and nobody resolved it. */
  TOOL_IN_DOUBT(false),
  /** A person refused a tool call. */
  TOOL_DENIED(false),
  /** The model or the caller named a tool that is not configured. */
  TOOL_UNKNOWN(false),
  /** The job killed its workers too often. */
  POISONED(false),
  /** The caller cancelled it. */
  CANCELLED(false),
  /** The provider failed and told us not to ask again. */
  PROVIDER_ERROR(false),
  /** The provider was overloaded and told us not to ask again. */
  PROVIDER_OVERLOADED(false),
  /** The provider's rate limit, and it told us not to ask again. */
  RATE_LIMITED(false),
  /** The provider refuses our credential. */
  PROVIDER_AUTH(false),
  /** The provider wants money. */
  BILLING(false),
  /** The provider does not know the model, or not for us. */
  MODEL_UNKNOWN(false),
  /** The request exceeds a limit that no wait clears. */
  REQUEST_TOO_LARGE(false),
  /** The conversation does not fit the model's context. */
  CONTEXT_TOO_LONG(false),
  /** The provider's content rules refused the prompt. */
  CONTENT_FILTERED(false),
  /** The provider calls the request wrong. */
  INVALID_REQUEST(false);

  private final boolean retryable;

  EndCode(boolean retryable) {
    this.retryable = retryable;
  }

  /** The name in the API and in the database. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** {@code error.retryable} of the API, unless the job's row says otherwise. */
  public boolean isRetryable() {
    return retryable;
  }

  /** Reads a name from the database; empty for one that is none of ours. */
  public static Optional<EndCode> of(String text) {
    for (EndCode code : values()) {
      if (code.text().equals(text)) {
        return Optional.of(code);
      }
    }
    return Optional.empty();
  }
}
