package dev.coatcheck.simulator;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A model's turn, told as a chat completion that fits the request: its model, its token counts, its
 * limit of tokens.
 *
 * @param text what the model says; null for something about the prompt
 * @param finishReason null for the one that fits
 */
public record Completion(
    @Nullable String text, List<ToolCall> toolCalls, @Nullable String finishReason)
    implements Whole {
  private static final ChatRequest UNKNOWN =
      new ChatRequest("simulated", "", "", 0, OptionalInt.empty(), 0, false, false);

  public Completion {
    toolCalls = List.copyOf(toolCalls);
  }

  public static Completion aboutThePrompt() {
    return new Completion(null, List.of(), null);
  }

  public static Completion saying(String text) {
    return new Completion(text, List.of(), null);
  }

  public static Completion calling(ToolCall... calls) {
    return new Completion("", List.of(calls), null);
  }

  public Completion finishing(String otherReason) {
    return new Completion(text, toolCalls, otherReason);
  }

  @Override
  public Reply to(ReceivedRequest request) {
    var chat = request.payload().chat().orElse(UNKNOWN);
    var said = text == null ? DescribePrompt.in(chat) : text;
    var told =
        chat.maxTokens().isPresent() ? Tokens.first(chat.maxTokens().getAsInt(), said) : said;
    var reason = Optional.ofNullable(finishReason).orElse(reason(told.length() < said.length()));
    return Reply.json(200, json(request, chat, new Turn(told, reason)));
  }

  private record Turn(String text, String finishReason) {}

  private String reason(boolean isCut) {
    if (!toolCalls.isEmpty()) {
      return "tool_calls";
    }
    return isCut ? "length" : "stop";
  }

  private String json(ReceivedRequest request, ChatRequest chat, Turn turn) {
    var out = new StringBuilder(turn.text().length() + 768);
    out.append("{\"id\":\"chatcmpl-sim").append(request.number());
    out.append("\",\"object\":\"chat.completion\",\"created\":");
    out.append(request.arrivedAt().getEpochSecond()).append(",\"model\":");
    Quote.into(out, chat.model());
    out.append(",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":");
    if (toolCalls.isEmpty()) {
      Quote.into(out, turn.text());
    } else {
      out.append("null");
      toolCalls(out, request.number());
    }
    out.append(",\"refusal\":null,\"annotations\":[]},\"logprobs\":null,\"finish_reason\":");
    Quote.into(out, turn.finishReason()).append("}],\"usage\":");
    usage(out, chat.promptTokens(), completionTokens(turn));
    return out.append(",\"service_tier\":\"default\",\"system_fingerprint\":\"fp_simulated\"}")
        .toString();
  }

  private int completionTokens(Turn turn) {
    int tokens = Tokens.in(turn.text());
    for (var call : toolCalls) {
      tokens += Tokens.in(call.name()) + Tokens.in(call.arguments());
    }
    return tokens;
  }

  private void toolCalls(StringBuilder out, long number) {
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

  private static void usage(StringBuilder out, int prompt, int completion) {
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
