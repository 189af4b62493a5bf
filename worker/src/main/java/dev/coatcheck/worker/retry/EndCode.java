package dev.coatcheck.worker.retry;

import java.util.Locale;

/**
 * Why a job ended without an answer: {@code error.code} of the API. The codes are documented in
 * docs/retries.md and never reused.
 */
public enum EndCode {
  /** The last allowed attempt failed in a way that could have been asked again. */
  ATTEMPTS_EXHAUSTED,
  /** The provider asks for a wait longer than {@code max_wait} or than the deadline leaves. */
  RETRY_AFTER_TOO_LONG,
  /** The job's deadline passed, or our own back-off would pass it. The job is expired. */
  DEADLINE_EXCEEDED,
  /** The tool loop reached {@code max_turns}. The job is incomplete. */
  TURN_LIMIT,
  /** A tool's effect is unknown and nobody resolved it. */
  TOOL_IN_DOUBT,
  /** A person refused a tool call. */
  TOOL_DENIED,
  /** The model or the caller named a tool that is not configured. */
  TOOL_UNKNOWN,
  /** The job killed its workers too often. */
  POISONED,
  /** The caller cancelled it. */
  CANCELLED,
  /** The provider failed and told us not to ask again. */
  PROVIDER_ERROR,
  /** The provider was overloaded and told us not to ask again. */
  PROVIDER_OVERLOADED,
  /** The provider's rate limit, and it told us not to ask again. */
  RATE_LIMITED,
  /** An answer that nobody can use, twice; or one that cannot become usable. */
  INVALID_RESPONSE,
  /** The provider refuses our credential. */
  PROVIDER_AUTH,
  /** The provider wants money. */
  BILLING,
  /** The provider does not know the model, or not for us. */
  MODEL_UNKNOWN,
  /** The request exceeds a limit that no wait clears. */
  REQUEST_TOO_LARGE,
  /** The conversation does not fit the model's context. */
  CONTEXT_TOO_LONG,
  /** The provider's content rules refused the prompt. */
  CONTENT_FILTERED,
  /** The provider calls the request wrong. */
  INVALID_REQUEST;

  /** The name in the API and in the database. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException for a name that is none of ours
   */
  public static EndCode of(String text) {
    for (EndCode code : values()) {
      if (code.text().equals(text)) {
        return code;
      }
    }
    throw new IllegalArgumentException("unknown end code");
  }
}
