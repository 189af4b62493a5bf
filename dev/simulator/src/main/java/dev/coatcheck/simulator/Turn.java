package dev.coatcheck.simulator;

import java.util.List;

/** What the model says to one request, before it takes a provider's shape. */
record Turn(
    ReceivedRequest request,
    ChatRequest chat,
    String text,
    List<ToolCall> toolCalls,
    String finishReason) {
  int tokens() {
    int tokens = Tokens.in(text);
    for (var call : toolCalls) {
      tokens += Tokens.in(call.name()) + Tokens.in(call.arguments());
    }
    return tokens;
  }
}
