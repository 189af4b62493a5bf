package dev.coatcheck.simulator;

/** What Anthropic says when it does not answer. */
public final class AnthropicErrors {
  private AnthropicErrors() {}

  public static Reply rateLimited() {
    return of(
        429,
        "rate_limit_error",
        "This request would exceed your organization's rate limit of 40,000 input tokens per minute.");
  }

  /** 429 that no wait ends. */
  public static Reply extraUsageRequired() {
    return of(429, "rate_limit_error", "Extra usage is required for long context requests.");
  }

  public static Reply overloaded() {
    return of(529, "overloaded_error", "Overloaded").with("x-should-retry", "true");
  }

  public static Reply promptTooLong() {
    return of(400, "invalid_request_error", "prompt is too long: 200534 tokens > 200000 maximum");
  }

  public static Reply creditTooLow() {
    return of(
        400,
        "invalid_request_error",
        "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing"
            + " to upgrade or purchase credits.");
  }

  public static Reply apiError() {
    return of(500, "api_error", "Internal server error");
  }

  public static Reply of(int status, String type, String message) {
    return Reply.json(
            status,
            "{\"type\":\"error\",\"error\":{\"type\":%s,\"message\":%s},\"request_id\":\"req_sim\"}"
                .formatted(Quote.of(type), Quote.of(message)))
        .with("request-id", "req_sim");
  }
}
