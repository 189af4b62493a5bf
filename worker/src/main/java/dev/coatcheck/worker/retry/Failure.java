package dev.coatcheck.worker.retry;

import org.jspecify.annotations.Nullable;

/**
 * What an attempt without an answer tells us.
 *
 * @param askAgain how often this may be asked again, the provider's own word included
 * @param serverWait the wait that the provider asks for, if it does
 * @param upstream what the provider itself calls it
 * @param message for the job's error: masked of secrets, free of control characters, at most {@link
 *     #MAX_MESSAGE} characters
 */
public record Failure(
    ErrorCode code,
    AttemptState state,
    Billed billed,
    AskAgain askAgain,
    @Nullable ServerWait serverWait,
    Upstream upstream,
    String message) {
  public static final int MAX_MESSAGE = 2_000;

  public Failure {
    if (message.length() > MAX_MESSAGE) {
      throw new IllegalArgumentException("a failure's message is at most 2,000 characters");
    }
  }

  /**
   * The provider's side of a failure.
   *
   * @param provider the provider's name in our configuration
   * @param httpStatus none if no response came
   * @param code the provider's own error code or type; for a daily quota the quota's id
   * @param requestId the provider's id of the request, for its support
   */
  public record Upstream(
      String provider,
      @Nullable Integer httpStatus,
      @Nullable String code,
      @Nullable String requestId) {

    /** A few words for a status detail: {@code openai answered 429}. */
    String summary(ErrorCode failed) {
      if (httpStatus != null) {
        return provider + " answered " + httpStatus;
      }
      return failed == ErrorCode.PROVIDER_UNREACHABLE
          ? provider + " could not be reached"
          : provider + " gave no whole answer";
    }
  }

  /** {@code openai answered 429, Retry-After 30 s}: for {@code status_reason.detail}. */
  public String detail() {
    String summary = upstream.summary(code);
    return serverWait == null ? summary : summary + ", " + serverWait.source();
  }
}
