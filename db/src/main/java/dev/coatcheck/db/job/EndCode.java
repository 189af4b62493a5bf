package dev.coatcheck.db.job;

import java.util.Locale;
import java.util.Optional;

/**
 * Why a job ended without a usable answer, as its row says it: {@code error.code} of the API. Each
 * with whether the same body under a new key may succeed later without anybody changing it.
 */
public enum EndCode {
  ATTEMPTS_EXHAUSTED(true),
  RETRY_AFTER_TOO_LONG(true),
  DEADLINE_EXCEEDED(true),
  /** Of a 200 only: any other status without a usable answer would be met again. */
  INVALID_RESPONSE(true),
  TURN_LIMIT(false),
  TOOL_IN_DOUBT(false),
  TOOL_DENIED(false),
  TOOL_UNKNOWN(false),
  POISONED(false),
  CANCELLED(false),
  PROVIDER_ERROR(false),
  PROVIDER_OVERLOADED(false),
  RATE_LIMITED(false),
  PROVIDER_AUTH(false),
  BILLING(false),
  MODEL_UNKNOWN(false),
  REQUEST_TOO_LARGE(false),
  CONTEXT_TOO_LONG(false),
  CONTENT_FILTERED(false),
  INVALID_REQUEST(false);

  private static final int OK = 200;

  private final boolean mayPass;

  EndCode(boolean mayPass) {
    this.mayPass = mayPass;
  }

  /** The name in the API and in the database. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Whether the same body under a new key may succeed later without anybody changing it.
   *
   * @param upstreamStatus the provider's last status, if there was one
   */
  public boolean retryable(Optional<Integer> upstreamStatus) {
    return mayPass && (this != INVALID_RESPONSE || upstreamStatus.orElse(OK) == OK);
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
