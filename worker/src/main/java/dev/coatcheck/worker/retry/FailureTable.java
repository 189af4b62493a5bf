package dev.coatcheck.worker.retry;

import static dev.coatcheck.worker.retry.AskAgain.ALWAYS;
import static dev.coatcheck.worker.retry.AskAgain.NEVER;
import static java.util.Map.entry;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What providers' failures mean, as data. Read from the top: exact codes first, then sentences,
 * then the status. An error inside a 200 is given the status that its code stands for.
 */
final class FailureTable {
  /** Free text that decides, and only beside one of the codes. */
  record Sentence(Set<String> beside, Pattern words, ErrorCode code) {}

  /** Exact codes that decide, for these statuses. */
  record Sign(Set<String> codes, Range statuses, ErrorCode code) {}

  record Row(Range statuses, ErrorCode code, AskAgain askAgain) {}

  record Range(int from, int to) {
    boolean has(int status) {
      return status >= from && status <= to;
    }
  }

  private static final Range ANY = new Range(100, 999);
  private static final Range CALLERS_FAULT = new Range(400, 499);

  static final List<Sign> SIGNS =
      List.of(
          new Sign(
              Set.of(
                  "insufficient_quota",
                  "credit_balance_exhausted",
                  "organization_spend_limit_exceeded",
                  "project_spend_limit_exceeded",
                  "organization_usage_limit_exceeded",
                  "billing_hard_limit_reached",
                  "billing_not_active",
                  "billing_error"),
              ANY,
              ErrorCode.BILLING),
          new Sign(Set.of("API_KEY_INVALID"), ANY, ErrorCode.PROVIDER_AUTH),
          new Sign(Set.of("overloaded_error"), ANY, ErrorCode.PROVIDER_OVERLOADED),
          new Sign(
              Set.of("content_filter", "content_policy_violation", "ResponsibleAIPolicyViolation"),
              new Range(400, 400),
              ErrorCode.CONTENT_FILTERED),
          new Sign(Set.of("context_length_exceeded"), CALLERS_FAULT, ErrorCode.CONTEXT_TOO_LONG));

  static final List<Sentence> SENTENCES =
      List.of(
          sentence("invalid_request_error", "credit balance is too low", ErrorCode.BILLING),
          sentence("invalid_request_error", "prompt is too long", ErrorCode.CONTEXT_TOO_LONG),
          sentence("invalid_request_error", "exceed context limit", ErrorCode.CONTEXT_TOO_LONG),
          sentence(
              "rate_limit_error",
              "extra usage is required for long context",
              ErrorCode.REQUEST_TOO_LARGE),
          sentence("rate_limit_exceeded", "request too large", ErrorCode.REQUEST_TOO_LARGE));

  static final List<Row> STATUSES =
      List.of(
          row(100, 399, ErrorCode.INVALID_RESPONSE, NEVER),
          row(401, 401, ErrorCode.PROVIDER_AUTH, NEVER),
          row(402, 402, ErrorCode.BILLING, NEVER),
          row(403, 403, ErrorCode.PROVIDER_AUTH, NEVER),
          row(404, 404, ErrorCode.MODEL_UNKNOWN, NEVER),
          row(408, 409, ErrorCode.PROVIDER_ERROR, ALWAYS),
          row(413, 413, ErrorCode.REQUEST_TOO_LARGE, NEVER),
          row(425, 425, ErrorCode.PROVIDER_ERROR, ALWAYS),
          row(429, 429, ErrorCode.RATE_LIMITED, ALWAYS),
          row(400, 499, ErrorCode.INVALID_REQUEST, NEVER),
          row(501, 501, ErrorCode.PROVIDER_ERROR, NEVER),
          row(505, 505, ErrorCode.PROVIDER_ERROR, NEVER),
          row(529, 529, ErrorCode.PROVIDER_OVERLOADED, ALWAYS),
          row(500, 599, ErrorCode.PROVIDER_ERROR, ALWAYS),
          row(600, 999, ErrorCode.INVALID_RESPONSE, NEVER));

  /** The status that a code inside a 200 stands for. */
  static final Map<String, Integer> EMBEDDED =
      Map.ofEntries(
          entry("rate_limit_exceeded", 429),
          entry("rate_limit_error", 429),
          entry("rate_limited", 429),
          entry("too_many_requests", 429),
          entry("RESOURCE_EXHAUSTED", 429),
          entry("throttlingException", 429),
          entry("ThrottlingException", 429),
          entry("overloaded_error", 529),
          entry("overloaded", 529),
          entry("UNAVAILABLE", 503),
          entry("service_unavailable", 503),
          entry("serviceUnavailableException", 503),
          entry("server_error", 500),
          entry("api_error", 500),
          entry("internal_error", 500),
          entry("internal_server_error", 500),
          entry("INTERNAL", 500),
          entry("internalServerException", 500),
          entry("modelStreamErrorException", 500),
          entry("vector_store_timeout", 500),
          entry("timeout_error", 504),
          entry("DEADLINE_EXCEEDED", 504),
          entry("conflict_error", 409),
          entry("invalid_request_error", 400),
          entry("invalid_request", 400),
          entry("INVALID_ARGUMENT", 400),
          entry("FAILED_PRECONDITION", 400),
          entry("validationException", 400),
          entry("invalid_prompt", 400),
          entry("bio_policy", 400),
          entry("data_residency_mismatch", 400),
          entry("context_length_exceeded", 400),
          entry("content_filter", 400),
          entry("content_policy_violation", 400),
          entry("authentication_error", 401),
          entry("invalid_api_key", 401),
          entry("UNAUTHENTICATED", 401),
          entry("permission_error", 403),
          entry("PERMISSION_DENIED", 403),
          entry("accessDeniedException", 403),
          entry("not_found_error", 404),
          entry("model_not_found", 404),
          entry("NOT_FOUND", 404),
          entry("request_too_large", 413));

  private FailureTable() {}

  private static Sentence sentence(String beside, String words, ErrorCode code) {
    return new Sentence(
        Set.of(beside), Pattern.compile(Pattern.quote(words), Pattern.CASE_INSENSITIVE), code);
  }

  private static Row row(int from, int to, ErrorCode code, AskAgain askAgain) {
    return new Row(new Range(from, to), code, askAgain);
  }
}
