package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Sorts a usage object into disjoint buckets, by its shape: OpenAI's (cached and reasoning tokens
 * are parts of their totals) or Anthropic's (cache reads and writes stand beside the input).
 */
final class ReadUsage {
  private ReadUsage() {}

  static Usage of(JsonNode usage, Body json) {
    if (usage.has("prompt_tokens") || usage.has("completion_tokens")) {
      return openAi(usage, new Names("prompt_tokens", "completion_tokens"), json);
    }
    if (usage.has("input_tokens_details") || hasOpenAiReasoning(usage)) {
      return openAi(usage, new Names("input_tokens", "output_tokens"), json);
    }
    return new Usage(
        count(usage, "input_tokens"),
        count(usage, "cache_read_input_tokens"),
        count(usage, "cache_creation_input_tokens"),
        count(usage, "output_tokens"),
        count(usage.path("output_tokens_details"), "thinking_tokens"),
        json);
  }

  private static boolean hasOpenAiReasoning(JsonNode usage) {
    return usage.path("output_tokens_details").has("reasoning_tokens");
  }

  private record Names(String input, String output) {}

  private static Usage openAi(JsonNode usage, Names names, Body json) {
    JsonNode inputDetails = usage.path(names.input() + "_details");
    Long prompt = count(usage, names.input());
    Long cached = count(inputDetails, "cached_tokens");
    if (cached == null) {
      cached = count(usage, "prompt_cache_hit_tokens");
    }
    Long written = count(inputDetails, "cache_write_tokens");
    Long reasoning = count(usage.path(names.output() + "_details"), "reasoning_tokens");
    Long input = prompt == null ? null : Math.max(0, prompt - orZero(cached) - orZero(written));
    return new Usage(input, cached, written, output(usage, names, reasoning), reasoning, json);
  }

  /** Some providers count reasoning beside the completion; their total gives it away. */
  private static @Nullable Long output(JsonNode usage, Names names, @Nullable Long reasoning) {
    Long completion = count(usage, names.output());
    Long total = count(usage, "total_tokens");
    Long prompt = count(usage, names.input());
    if (completion == null || reasoning == null || total == null || prompt == null) {
      return completion;
    }
    return Math.max(completion, total - prompt);
  }

  private static long orZero(@Nullable Long count) {
    return count == null ? 0 : count;
  }

  /** What is no count is unknown. */
  private static @Nullable Long count(JsonNode node, String member) {
    JsonNode count = node.path(member);
    boolean counts = count.isIntegralNumber() && count.canConvertToLong() && count.asLong() >= 0;
    return counts ? count.asLong() : null;
  }
}
