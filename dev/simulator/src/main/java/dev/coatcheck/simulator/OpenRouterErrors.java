package dev.coatcheck.simulator;

/** What OpenRouter says when it does not answer. */
public final class OpenRouterErrors {
  private OpenRouterErrors() {}

  /** 429 with the reset, in epoch milliseconds, only in the body. */
  public static Reply rateLimited(long resetEpochMs) {
    return Reply.json(
        429,
        """
        {"error":{"code":429,"message":"Rate limit exceeded: free-models-per-day","metadata":{\
        "headers":{"X-RateLimit-Limit":"200","X-RateLimit-Remaining":"0","X-RateLimit-Reset":"%d"},\
        "provider_name":"simulated"}},"user_id":"user_sim"}"""
            .formatted(resetEpochMs));
  }

  /** The model had begun before it failed: the status is 200 and the error in the body. */
  public static Reply errorInside200(int code, String message) {
    return Reply.json(
        200,
        "{\"error\":{\"code\":%d,\"message\":%s},\"user_id\":\"user_sim\"}"
            .formatted(code, Quote.of(message)));
  }

  /** 402 because of what is still under way. */
  public static Reply inFlightBudget() {
    return Reply.json(
        402,
        """
        {"error":{"code":402,"message":"Insufficient credits for requests in flight","metadata":{\
        "limit_source":"openrouter_in_flight_budget"}},"user_id":"user_sim"}""");
  }
}
