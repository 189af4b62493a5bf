package dev.coatcheck.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.egress.Body;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Buckets that add up, whatever is a part of what at the provider. */
class ReadUsageTest {
  private static Usage usage(String json) {
    return ReadUsage.of(Json.MAPPER.readTree(json), Body.utf8(json));
  }

  @Test
  void cached_and_written_tokens_are_parts_of_openais_prompt() {
    Usage usage =
        usage(
            """
            {"prompt_tokens":1000,"completion_tokens":300,"total_tokens":1300,
             "prompt_tokens_details":{"cached_tokens":600,"cache_write_tokens":100,"audio_tokens":5},
             "completion_tokens_details":{"reasoning_tokens":200,"rejected_prediction_tokens":7}}
            """);

    assertThat(usage.input()).isEqualTo(300);
    assertThat(usage.inputCached()).isEqualTo(600);
    assertThat(usage.cacheWrite()).isEqualTo(100);
    assertThat(usage.output()).isEqualTo(300);
    assertThat(usage.reasoning()).isEqualTo(200);
  }

  /** T33: text tokens that include the cached ones were counted on top. */
  @Test
  void text_tokens_that_include_the_cached_ones_add_nothing() {
    Usage usage =
        usage(
            """
            {"prompt_tokens":1000,"completion_tokens":10,"total_tokens":1010,
             "prompt_tokens_details":{"text_tokens":1000,"cached_tokens":600}}
            """);

    assertThat(usage.input()).isEqualTo(400);
    assertThat(usage.inputCached()).isEqualTo(600);
  }

  @Test
  void reasoning_beside_the_completion_is_given_away_by_the_total() {
    Usage usage =
        usage(
            """
            {"prompt_tokens":10,"completion_tokens":20,"total_tokens":130,
             "completion_tokens_details":{"reasoning_tokens":100}}
            """);

    assertThat(usage.output()).isEqualTo(120);
    assertThat(usage.reasoning()).isEqualTo(100);
  }

  @Test
  void deepseeks_cache_hits_are_parts_of_the_prompt() {
    Usage usage =
        usage(
            """
            {"prompt_tokens":100,"completion_tokens":1,"prompt_cache_hit_tokens":64,
             "prompt_cache_miss_tokens":36}
            """);

    assertThat(usage.input()).isEqualTo(36);
    assertThat(usage.inputCached()).isEqualTo(64);
  }

  @Test
  void anthropics_cache_buckets_stand_beside_the_input() {
    Usage usage =
        usage(
            """
            {"input_tokens":3,"cache_creation_input_tokens":12304,"cache_read_input_tokens":7,
             "output_tokens":550}
            """);

    assertThat(usage.input()).isEqualTo(3);
    assertThat(usage.cacheWrite()).isEqualTo(12304);
    assertThat(usage.inputCached()).isEqualTo(7);
    assertThat(usage.output()).isEqualTo(550);
  }

  @Test
  void the_responses_shape_is_openais_under_other_names() {
    Usage usage =
        usage(
            """
            {"input_tokens":100,"input_tokens_details":{"cached_tokens":40},
             "output_tokens":9,"output_tokens_details":{"reasoning_tokens":4},"total_tokens":109}
            """);

    assertThat(usage.input()).isEqualTo(60);
    assertThat(usage.inputCached()).isEqualTo(40);
    assertThat(usage.reasoning()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"prompt_tokens\":null}",
        "{\"prompt_tokens\":\"10\"}",
        "{\"prompt_tokens\":-1}",
        "{\"prompt_tokens\":1.5}",
        "{\"prompt_tokens\":99999999999999999999}",
        "{\"prompt_tokens\":{}}"
      })
  void what_is_no_count_is_unknown_and_not_zero(String json) {
    assertThat(usage(json).input()).isNull();
  }

  @Test
  void more_cached_than_there_was_is_floored() {
    assertThat(
            usage("{\"prompt_tokens\":5,\"prompt_tokens_details\":{\"cached_tokens\":9}}").input())
        .isZero();
  }
}
