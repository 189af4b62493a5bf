package dev.coatcheck.simulator;

import java.util.List;

/** A turn as OpenAI's chat completions tell it. */
final class WriteChatCompletion {
  private WriteChatCompletion() {}

  static String of(Turn turn) {
    var out = new StringBuilder(turn.text().length() + 768);
    out.append("{\"id\":\"chatcmpl-sim").append(turn.request().number());
    out.append("\",\"object\":\"chat.completion\",\"created\":");
    out.append(turn.request().arrivedAt().getEpochSecond()).append(",\"model\":");
    Quote.into(out, turn.chat().model());
    out.append(",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":");
    if (turn.toolCalls().isEmpty()) {
      Quote.into(out, turn.text());
    } else {
      out.append("null");
      toolCalls(out, turn.toolCalls(), turn.request().number());
    }
    out.append(",\"refusal\":null,\"annotations\":[]},\"logprobs\":null,\"finish_reason\":");
    Quote.into(out, turn.finishReason()).append("}],\"usage\":");
    usage(out, turn.chat().promptTokens(), turn.tokens());
    return out.append(",\"service_tier\":\"default\",\"system_fingerprint\":\"fp_simulated\"}")
        .toString();
  }

  private static void toolCalls(StringBuilder out, List<ToolCall> toolCalls, long number) {
    out.append(",\"tool_calls\":[");
    for (int i = 0; i < toolCalls.size(); i++) {
      var call = toolCalls.get(i);
      out.append(i == 0 ? "" : ",").append("{\"id\":\"call_sim").append(number);
      out.append('_').append(i).append("\",\"type\":\"function\",\"function\":{\"name\":");
      Quote.into(out, call.name()).append(",\"arguments\":");
      Quote.into(out, call.arguments()).append("}}");
    }
    out.append(']');
  }

  static void usage(StringBuilder out, int prompt, int completion) {
    out.append("{\"prompt_tokens\":").append(prompt);
    out.append(",\"completion_tokens\":").append(completion);
    out.append(",\"total_tokens\":").append(prompt + completion);
    out.append(
        """
        ,"prompt_tokens_details":{"cached_tokens":0,"audio_tokens":0},\
        "completion_tokens_details":{"reasoning_tokens":0,"audio_tokens":0,\
        "accepted_prediction_tokens":0,"rejected_prediction_tokens":0}}""");
  }
}
