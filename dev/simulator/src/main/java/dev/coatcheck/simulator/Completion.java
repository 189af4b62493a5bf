package dev.coatcheck.simulator;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A model's turn, told in the shape of the provider that was asked, OpenAI's or Anthropic's, and to
 * fit the request: its model, its token counts, its limit of tokens.
 *
 * @param text what the model says; null for something about the prompt
 * @param finishReason in OpenAI's words; null for the one that fits
 */
public record Completion(
    @Nullable String text, List<ToolCall> toolCalls, @Nullable String finishReason)
    implements Whole {
  private static final ChatRequest UNKNOWN =
      new ChatRequest("simulated", "", "", 0, OptionalInt.empty(), 0, false, false, false);

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

  /** As one answer, or as a stream for a caller that asks for one. */
  @Override
  public Reply to(ReceivedRequest request) {
    var turn = turn(request);
    if (turn.chat().wantsStream()) {
      var events = events(turn, Streaming.Extra.WITH);
      var all = String.join("", events.answer()) + String.join("", events.end());
      return stream(Body.text(all));
    }
    return Reply.json(
        200,
        request.head().asksForMessage() ? WriteMessage.of(turn) : WriteChatCompletion.of(turn));
  }

  /** A stream with this for its body. */
  static Reply stream(Body events) {
    return Reply.of(200, "text/event-stream; charset=utf-8", events)
        .framed(Framing.CHUNKED)
        .with("cache-control", "no-cache");
  }

  TurnEvents events(ReceivedRequest request, Streaming.Extra usage) {
    return events(turn(request), usage);
  }

  private static TurnEvents events(Turn turn, Streaming.Extra usage) {
    return turn.request().head().asksForMessage()
        ? WriteMessageEvents.of(turn, usage)
        : WriteChunks.of(turn, usage);
  }

  private Turn turn(ReceivedRequest request) {
    var chat = request.payload().chat().orElse(UNKNOWN);
    var said = text == null ? DescribePrompt.in(chat) : text;
    var told =
        chat.maxTokens().isPresent() ? Tokens.first(chat.maxTokens().getAsInt(), said) : said;
    var reason = finishReason == null ? reason(told.length() < said.length()) : finishReason;
    return new Turn(request, chat, told, toolCalls, reason);
  }

  private String reason(boolean isCut) {
    if (!toolCalls.isEmpty()) {
      return "tool_calls";
    }
    return isCut ? "length" : "stop";
  }
}
