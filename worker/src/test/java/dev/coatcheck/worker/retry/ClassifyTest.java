package dev.coatcheck.worker.retry;

import static dev.coatcheck.worker.retry.ReadServerWaitTest.verdict;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One test a row of the table in docs/retries.md. */
class ClassifyTest {
  @ParameterizedTest
  @CsvSource({
    "101, INVALID_RESPONSE, NEVER", "204, INVALID_RESPONSE, NEVER",
    "200, INVALID_RESPONSE, NEVER", "301, INVALID_RESPONSE, NEVER",
    "302, INVALID_RESPONSE, NEVER", "304, INVALID_RESPONSE, NEVER",
    "307, INVALID_RESPONSE, NEVER", "308, INVALID_RESPONSE, NEVER",
    "400, INVALID_REQUEST, NEVER", "401, PROVIDER_AUTH, NEVER",
    "402, BILLING, NEVER", "403, PROVIDER_AUTH, NEVER",
    "404, MODEL_UNKNOWN, NEVER", "405, INVALID_REQUEST, NEVER",
    "408, PROVIDER_ERROR, ALWAYS", "409, PROVIDER_ERROR, ALWAYS",
    "413, REQUEST_TOO_LARGE, NEVER", "415, INVALID_REQUEST, NEVER",
    "418, INVALID_REQUEST, NEVER", "422, INVALID_REQUEST, NEVER",
    "425, PROVIDER_ERROR, ALWAYS", "429, RATE_LIMITED, ALWAYS",
    "451, INVALID_REQUEST, NEVER", "499, INVALID_REQUEST, NEVER",
    "500, PROVIDER_ERROR, ALWAYS", "501, PROVIDER_ERROR, NEVER",
    "502, PROVIDER_ERROR, ALWAYS", "503, PROVIDER_ERROR, ALWAYS",
    "504, PROVIDER_ERROR, ALWAYS", "505, PROVIDER_ERROR, NEVER",
    "507, PROVIDER_ERROR, ALWAYS", "511, PROVIDER_ERROR, ALWAYS",
    "520, PROVIDER_ERROR, ALWAYS", "521, PROVIDER_ERROR, ALWAYS",
    "522, PROVIDER_ERROR, ALWAYS", "523, PROVIDER_ERROR, ALWAYS",
    "524, PROVIDER_ERROR, ALWAYS", "529, PROVIDER_OVERLOADED, ALWAYS",
    "599, PROVIDER_ERROR, ALWAYS", "600, INVALID_RESPONSE, NEVER",
    "999, INVALID_RESPONSE, NEVER"
  })
  void a_bare_status_means(int status, ErrorCode code, AskAgain askAgain) {
    assertThat(verdict(status, null))
        .extracting(Verdict::code, Verdict::askAgain)
        .containsExactly(code, askAgain);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        // billing, by exact code or type, whatever the status
        "429 | BILLING | {'error':{'message':'You exceeded your current quota','type':'insufficient_quota','param':null,'code':'insufficient_quota'}}",
        "429 | BILLING | {'error':{'message':'quota','type':'insufficient_quota','code':null}}",
        "429 | BILLING | {'error':{'message':'x','type':'x','code':'project_spend_limit_exceeded'}}",
        "403 | BILLING | {'error':{'message':'x','code':'organization_spend_limit_exceeded'}}",
        "429 | BILLING | {'error':{'message':'x','code':'credit_balance_exhausted'}}",
        "429 | BILLING | {'error':{'message':'x','code':'organization_usage_limit_exceeded'}}",
        "500 | BILLING | {'error':{'message':'x','code':'insufficient_quota'}}",
        "400 | BILLING | {'error':{'code':'billing_hard_limit_reached','message':'Billing hard limit has been reached','param':null,'type':'invalid_request_error'}}",
        "402 | BILLING | {'type':'error','error':{'type':'billing_error','message':'pay'}}",
        "200 | BILLING | {'error':{'message':'x','code':'insufficient_quota'}}",
        "200 | BILLING | {'error':{'message':'x','code':402}}",
        // T13: a billing problem hidden in a 400
        "400 | BILLING | {'type':'error','error':{'type':'invalid_request_error','message':'Your credit balance is too low to access the Anthropic API.'}}",
        // free text decides only beside its own provider's code
        "429 | RATE_LIMITED | {'error':{'message':'Your credit balance is too low','type':'requests'}}",
        "429 | RATE_LIMITED | {'error':{'message':'insufficient_quota'}}",
        "400 | INVALID_REQUEST | {'error':{'message':'prompt is too long','type':'BadRequestError'}}",
        "429 | RATE_LIMITED | {'error':{'message':'Request too large, Limit 1, Requested 2','type':'x'}}",
        // T11: Scaleway's concurrency limit says insufficient quota in words
        "429 | RATE_LIMITED | {'status':429,'error':'INSUFFICIENT QUOTA','message':'You exceeded your current limit of concurrent requests.'}",
        "200 | RATE_LIMITED | {'status':429,'error':'INSUFFICIENT QUOTA','message':'You exceeded your current limit of concurrent requests.'}",
        // T08: an Anthropic rate limit that names input tokens
        "429 | RATE_LIMITED | {'type':'error','error':{'type':'rate_limit_error','message':'This request would exceed your rate limit of 40,000 input tokens per minute'}}",
        // T09: context overflows
        "400 | CONTEXT_TOO_LONG | {'type':'error','error':{'type':'invalid_request_error','message':'prompt is too long: 200534 tokens > 200000 maximum'}}",
        "400 | CONTEXT_TOO_LONG | {'type':'error','error':{'type':'invalid_request_error','message':'input length and `max_tokens` exceed context limit: 900000 + 128000 > 1000000'}}",
        "400 | CONTEXT_TOO_LONG | {'error':{'message':'maximum context length is 16385 tokens','type':'invalid_request_error','param':'messages','code':'context_length_exceeded'}}",
        "200 | CONTEXT_TOO_LONG | {'error':{'message':'x','code':'context_length_exceeded'}}",
        // T12: a weekly limit is a rate limit; the budget bounds it
        "429 | RATE_LIMITED | {'error':{'message':'exceeded your weekly rate limit'}}",
        // T14
        "400 | INVALID_REQUEST | {'type':'error','error':{'type':'invalid_request_error','message':'messages: field required'}}",
        // OpenAI's two 429s of one code
        "429 | RATE_LIMITED | {'error':{'message':'Rate limit reached for gpt-4.1: Limit 30000, Used 28039, Requested 3906. Please try again in 3.89s.','type':'tokens','code':'rate_limit_exceeded'}}",
        "429 | REQUEST_TOO_LARGE | {'error':{'message':'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 30601. The input or output tokens must be reduced','type':'tokens','code':'rate_limit_exceeded'}}",
        "429 | REQUEST_TOO_LARGE | {'error':{'message':'on tokens per min (TPM): Limit 30000, Requested 30601.','type':'tokens','code':'rate_limit_exceeded'}}",
        "429 | RATE_LIMITED | {'error':{'message':'Limit 30000, Used 0, Requested 30601. Please try again in 9s.','type':'tokens','code':'rate_limit_exceeded'}}",
        "429 | RATE_LIMITED | {'error':{'message':'Requested 5','type':'tokens','code':'rate_limit_exceeded'}}",
        "429 | REQUEST_TOO_LARGE | {'type':'error','error':{'type':'rate_limit_error','message':'Extra usage is required for long context requests.'}}",
        // Google
        "400 | PROVIDER_AUTH | {'error':{'code':400,'message':'API key not valid.','status':'INVALID_ARGUMENT','details':[{'@type':'type.googleapis.com/google.rpc.ErrorInfo','reason':'API_KEY_INVALID','domain':'googleapis.com'}]}}",
        "400 | INVALID_REQUEST | {'error':{'code':400,'message':'x','status':'FAILED_PRECONDITION'}}",
        "429 | RATE_LIMITED | [{'error':{'code':429,'message':'x','status':'RESOURCE_EXHAUSTED'}}]",
        "503 | PROVIDER_OVERLOADED | {'error':{'code':503,'message':'The model is overloaded. Please try again later.','status':'UNAVAILABLE'}}",
        // overload
        "529 | PROVIDER_OVERLOADED | {'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}",
        "500 | PROVIDER_OVERLOADED | {'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}",
        "200 | PROVIDER_OVERLOADED | {'type':'error','error':{'type':'overloaded_error','message':'Overloaded'}}",
        "503 | PROVIDER_ERROR | {'error':'server busy, please try again.  maximum pending requests exceeded'}",
        // Mistral: a capacity error that wears another's type
        "503 | PROVIDER_ERROR | {'object':'error','message':'Service tier capacity exceeded for this model.','type':'invalid_request_error','param':null,'code':null}",
        "429 | RATE_LIMITED | {'object':'error','message':'Rate limit exceeded','type':'rate_limited','param':null,'code':'1300','raw_status_code':429}",
        "200 | RATE_LIMITED | {'object':'error','message':'Rate limit exceeded','type':'rate_limited','param':null,'code':'1300','raw_status_code':429}",
        "429 | RATE_LIMITED | {'message':'Requests rate limit exceeded'}",
        "422 | INVALID_REQUEST | {'detail':[{'loc':['body','messages'],'msg':'field required','type':'value_error.missing'}]}",
        // proxies wrap one shape into another: the code is believed before the type
        "200 | RATE_LIMITED | {'error':{'code':'rate_limit_error','type':'invalid_request_error','message':'slow'}}",
        "429 | RATE_LIMITED | {'error':{'code':'rate_limit_error','type':'invalid_request_error','message':'slow'}}",
        // Azure
        "429 | RATE_LIMITED | {'error':{'code':'429','message':'have exceeded token rate limit. Please retry after 86400 seconds.'}}",
        "200 | RATE_LIMITED | {'error':{'code':'429','message':'x'}}",
        "400 | CONTENT_FILTERED | {'error':{'message':'The response was filtered','type':null,'param':'prompt','code':'content_filter','status':400}}",
        "400 | CONTENT_FILTERED | {'error':{'message':'x','code':'x','innererror':{'code':'ResponsibleAIPolicyViolation'}}}",
        "400 | CONTENT_FILTERED | {'error':{'message':'x','code':'content_policy_violation'}}",
        "401 | PROVIDER_AUTH | {'error':{'message':'x','code':'content_filter'}}",
        // OpenRouter
        "402 | BILLING | {'error':{'code':402,'message':'x','metadata':{'limit_source':'openrouter_in_flight_budget'}}}",
        "402 | RATE_LIMITED | {'error':{'code':402,'message':'x','metadata':{'limit_source':'openrouter_in_flight_budget','headers':{'Retry-After':'5'}}}}",
        "402 | BILLING | {'error':{'code':402,'message':'x','metadata':{'limit_source':'account','headers':{'Retry-After':'5'}}}}",
        "200 | PROVIDER_ERROR | {'error':{'code':502,'message':'provider down'}}",
        "200 | PROVIDER_AUTH | {'error':{'code':401,'message':'no'}}",
        "200 | PROVIDER_ERROR | {'error':{'code':408,'message':'timeout'}}",
        // Ollama
        "404 | MODEL_UNKNOWN | {'error':'model `x` not found'}",
        "200 | INVALID_RESPONSE | {'error':'something odd'}",
        // a 200 with an error by number, string, array and name
        "200 | RATE_LIMITED | {'error':429}",
        "200 | RATE_LIMITED | {'error':'rate_limit_exceeded'}",
        "200 | PROVIDER_ERROR | {'error':[{'message':'x','code':500}]}",
        "200 | PROVIDER_ERROR | {'error':{'type':'server_error','message':'x'}}",
        "200 | PROVIDER_ERROR | {'object':'response','status':'failed','error':{'code':'server_error','message':'x'}}",
        "200 | MODEL_UNKNOWN | {'error':{'code':'model_not_found','message':'x'}}",
        "200 | INVALID_REQUEST | {'error':{'type':'invalid_request_error','message':'x'}}",
        "200 | INVALID_RESPONSE | {'error':{'code':'never_heard_of','message':'x'}}",
        "200 | INVALID_RESPONSE | {'error':{'code':200,'message':'x'}}",
        "200 | INVALID_RESPONSE | {'error':{'code':99999999999999999999,'message':'x'}}",
        "200 | INVALID_RESPONSE | {'error':{'code':{'a':1},'message':[1]}}",
      })
  void a_body_means(int status, ErrorCode code, String body) {
    assertThat(verdict(status, body.replace('\'', '"')).code()).isEqualTo(code);
  }

  @Test
  void an_unknown_error_inside_a_200_is_asked_once_more() {
    assertThat(verdict(200, "{\"error\":\"something odd\"}").askAgain()).isEqualTo(AskAgain.ONCE);
  }

  /** T07: daily and per-minute quotas look alike but for the quota's id. */
  @ParameterizedTest
  @CsvSource({
    "GenerateRequestsPerDayPerProjectPerModel-FreeTier, ONCE",
    "GenerateRequestsPerMinutePerProjectPerModel-FreeTier, ALWAYS"
  })
  void a_daily_quota_is_told_from_one_a_minute(String quota, AskAgain askAgain) {
    Verdict verdict =
        verdict(
            429,
            """
            {"error":{"code":429,"message":"You exceeded your current quota.",
              "status":"RESOURCE_EXHAUSTED","details":[
              {"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"%s"}]},
              {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"36s"}]}}
            """
                .formatted(quota));

    assertThat(verdict.code()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(verdict.askAgain()).isEqualTo(askAgain);
    assertThat(verdict.serverWait()).isNotNull();
    assertThat(DailyQuota.isOne(verdict.providerCode())).isEqualTo(askAgain == AskAgain.ONCE);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 503, 529, 200})
  void a_provider_that_says_do_not_retry_is_believed(int status) {
    String error = "{\"error\":{\"message\":\"x\",\"code\":\"server_error\"}}";

    assertThat(verdict(status, error, "x-should-retry: false").askAgain())
        .isEqualTo(AskAgain.NEVER);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 404, 422, 501})
  void a_provider_that_says_retry_overrules_a_status(int status) {
    assertThat(verdict(status, null, "x-should-retry: true").askAgain()).isEqualTo(AskAgain.ALWAYS);
  }

  @Test
  void a_provider_that_says_retry_overrules_neither_money_nor_an_exact_code() {
    assertThat(verdict(402, null, "x-should-retry: true").askAgain()).isEqualTo(AskAgain.NEVER);
    assertThat(
            verdict(
                    429,
                    "{\"error\":{\"code\":\"insufficient_quota\"}}",
                    "x-should-retry: true",
                    "Retry-After: 5")
                .askAgain())
        .isEqualTo(AskAgain.NEVER);
    assertThat(
            verdict(
                    429,
                    "{\"error\":{\"type\":\"rate_limit_error\",\"message\":\"Extra usage is required for long context requests.\"}}",
                    "x-should-retry: true")
                .askAgain())
        .isEqualTo(AskAgain.NEVER);
    assertThat(verdict(301, null, "x-should-retry: true").askAgain()).isEqualTo(AskAgain.NEVER);
  }

  @Test
  void the_402_of_a_budget_in_flight_is_retried_only_with_its_header() {
    String body =
        "{\"error\":{\"code\":402,\"metadata\":{\"limit_source\":\"openrouter_in_flight_budget\"}}}";

    assertThat(verdict(402, body, "Retry-After: 7").code()).isEqualTo(ErrorCode.RATE_LIMITED);
    assertThat(verdict(402, body).code()).isEqualTo(ErrorCode.BILLING);
  }

  @Test
  void the_providers_own_words_and_code_are_kept() {
    Verdict verdict =
        verdict(
            400,
            "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"Your credit balance is too low\"}}");

    assertThat(verdict.providerCode()).isEqualTo("invalid_request_error");
    assertThat(verdict.words()).isEqualTo("Your credit balance is too low");
  }

  @Test
  void a_name_says_more_than_a_number() {
    assertThat(
            verdict(429, "{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\"}}")
                .providerCode())
        .isEqualTo("RESOURCE_EXHAUSTED");
  }
}
