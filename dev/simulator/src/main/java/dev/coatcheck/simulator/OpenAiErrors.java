package dev.coatcheck.simulator;

import java.time.Duration;

/** What OpenAI says when it does not answer. */
public final class OpenAiErrors {
  private OpenAiErrors() {}

  public static Reply invalidApiKey() {
    return Reply.json(
        401,
        """
        {"error":{"message":"Incorrect API key provided: sk-...","type":"invalid_request_error",\
        "param":null,"code":"invalid_api_key"}}""");
  }

  public static Reply modelNotFound() {
    return Reply.json(
        404,
        """
        {"error":{"message":"The model `x` does not exist or you do not have access to it.",\
        "type":"invalid_request_error","param":null,"code":"model_not_found"}}""");
  }

  public static Reply contextTooLong() {
    return Reply.json(
        400,
        """
        {"error":{"message":"This model's maximum context length is 16385 tokens. However, your \
        messages resulted in 18988 tokens. Please reduce the length of the messages.",\
        "type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}""");
  }

  /** 429 that is over after the wait, which it tells in the header and in the text. */
  public static Reply rateLimited(Duration wait) {
    return rateLimited()
        .with("retry-after", Long.toString(Math.ceilDiv(wait.toMillis(), 1000)))
        .with("retry-after-ms", Long.toString(wait.toMillis()));
  }

  /** 429 without a word on how long. */
  public static Reply rateLimited() {
    return Reply.json(
            429,
            """
            {"error":{"message":"Rate limit reached for gpt-4.1 in organization org-simulated on \
            tokens per min (TPM): Limit 30000, Used 28039, Requested 3906.","type":"tokens",\
            "param":null,"code":"rate_limit_exceeded"}}""")
        .with("x-ratelimit-limit-requests", "500")
        .with("x-ratelimit-remaining-requests", "499");
  }

  /** 429 that no wait ends: the request alone is above the limit. */
  public static Reply requestTooLarge() {
    return Reply.json(
        429,
        """
        {"error":{"message":"Request too large for gpt-4o in organization org-simulated on tokens \
        per min (TPM): Limit 30000, Requested 30601. The input or output tokens must be reduced in \
        order to run successfully.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}""");
  }

  /** 429 that only money ends. */
  public static Reply insufficientQuota() {
    return Reply.json(
        429,
        """
        {"error":{"message":"You exceeded your current quota, please check your plan and billing \
        details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}""");
  }

  public static Reply billingHardLimit() {
    return Reply.json(
        400,
        """
        {"error":{"code":"billing_hard_limit_reached","message":"Billing hard limit has been \
        reached","param":null,"type":"invalid_request_error"}}""");
  }

  public static Reply serverError() {
    return of(
        500,
        "server_error",
        "The server had an error while processing your request. Sorry about that!");
  }

  public static Reply overloaded() {
    return of(503, "server_error", "The engine is currently overloaded, please try again later");
  }

  /** The likeliest body for a status. */
  public static Reply status(int status) {
    return switch (status) {
      case 401 -> invalidApiKey();
      case 404 -> modelNotFound();
      case 429 -> rateLimited();
      case 500 -> serverError();
      case 503 -> overloaded();
      default ->
          of(
              status,
              status < 500 ? "invalid_request_error" : "server_error",
              "Simulated " + status);
    };
  }

  public static Reply of(int status, String type, String message) {
    return Reply.json(
        status,
        "{\"error\":{\"message\":%s,\"type\":%s,\"param\":null,\"code\":null}}"
            .formatted(Quote.of(message), Quote.of(type)));
  }

  static Reply unreadableBody() {
    return of(
        400,
        "invalid_request_error",
        "We could not parse the JSON body of your request. (The simulator expects a JSON object.)");
  }

  static Reply unknownPath(RequestHead head) {
    return of(
        404,
        "invalid_request_error",
        "Unknown request URL: %s %s. The simulator answers POST …/chat/completions and POST …/messages."
            .formatted(head.method(), head.path()));
  }
}
