package dev.coatcheck.simulator;

/** What Gemini says when it does not answer. */
public final class GeminiErrors {
  private GeminiErrors() {}

  /** 429 until tomorrow, though it speaks of half a minute. */
  public static Reply dailyQuota() {
    return quota("GenerateRequestsPerDayPerProjectPerModel-FreeTier");
  }

  /** 429 that is over after the half minute it speaks of. */
  public static Reply minuteQuota() {
    return quota("GenerateRequestsPerMinutePerProjectPerModel-FreeTier");
  }

  /** 400, not 401. */
  public static Reply invalidKey() {
    return Reply.json(
        400,
        """
        {"error":{"code":400,"message":"API key not valid. Please pass a valid API key.",\
        "status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo",\
        "reason":"API_KEY_INVALID","domain":"googleapis.com"}]}}""");
  }

  public static Reply unavailable() {
    return Reply.json(
        503,
        """
        {"error":{"code":503,"message":"The model is overloaded. Please try again later.",\
        "status":"UNAVAILABLE"}}""");
  }

  private static Reply quota(String id) {
    return Reply.json(
        429,
        """
        {"error":{"code":429,"message":"You exceeded your current quota, please check your plan and \
        billing details. Please retry in 36.429760048s.","status":"RESOURCE_EXHAUSTED","details":[\
        {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaMetric":\
        "generativelanguage.googleapis.com/generate_content_free_tier_requests","quotaId":"%s",\
        "quotaValue":"20"}]},\
        {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"36s"}]}}"""
            .formatted(id));
  }
}
