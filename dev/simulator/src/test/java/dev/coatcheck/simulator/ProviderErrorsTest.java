package dev.coatcheck.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

class ProviderErrorsTest {
  @ParameterizedTest
  @MethodSource
  void every_error_is_json_with_an_error_in_it(Reply reply) {
    var error = JsonMapper.shared().readTree(reply.body().array()).path("error");
    assertThat(error.path("message").asString()).isNotEmpty();
  }

  static Stream<Reply> every_error_is_json_with_an_error_in_it() {
    return Stream.concat(
        Stream.of(
            OpenAiErrors.contextTooLong(),
            OpenAiErrors.rateLimited(Duration.ofSeconds(1)),
            OpenAiErrors.requestTooLarge(),
            OpenAiErrors.insufficientQuota(),
            OpenAiErrors.billingHardLimit(),
            AnthropicErrors.rateLimited(),
            AnthropicErrors.extraUsageRequired(),
            AnthropicErrors.overloaded(),
            AnthropicErrors.promptTooLong(),
            AnthropicErrors.creditTooLow(),
            AnthropicErrors.apiError(),
            GeminiErrors.dailyQuota(),
            GeminiErrors.minuteQuota(),
            GeminiErrors.invalidKey(),
            GeminiErrors.unavailable(),
            OpenRouterErrors.rateLimited(1743292800000L),
            OpenRouterErrors.errorInside200(502, "said \"no\""),
            OpenRouterErrors.inFlightBudget(),
            Nonsense.errorInside200()),
        IntStream.of(400, 401, 404, 409, 429, 500, 503, 529).mapToObj(OpenAiErrors::status));
  }

  @Test
  void what_tells_the_providers_apart_is_there() {
    assertThat(text(OpenAiErrors.insufficientQuota())).contains("\"code\":\"insufficient_quota\"");
    assertThat(text(AnthropicErrors.overloaded())).startsWith("{\"type\":\"error\"");
    assertThat(text(GeminiErrors.dailyQuota()))
        .contains("PerDay")
        .contains("\"retryDelay\":\"36s\"");
    assertThat(text(OpenRouterErrors.rateLimited(7))).contains("\"X-RateLimit-Reset\":\"7\"");
    assertThat(OpenAiErrors.status(529).status()).isEqualTo(529);
  }

  private static String text(Reply reply) {
    return reply.body().text();
  }
}
