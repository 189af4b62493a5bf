package dev.coatcheck.simulator;

import java.util.Optional;
import java.util.OptionalInt;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What the simulator understands of a chat request.
 *
 * @param prompt the text of the last message from the user that has any: Anthropic's tool results
 *     are messages from the user without
 * @param assistantTurns how many turns of the model the conversation holds already
 * @param wantsUsage whether a stream is to tell its tokens; Anthropic's do unasked
 */
record ChatRequest(
    String model,
    String prompt,
    String user,
    int promptTokens,
    OptionalInt maxTokens,
    int assistantTurns,
    boolean wantsStream,
    boolean wantsUsage,
    boolean wantsJson) {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final int TOKENS_PER_MESSAGE = 4;

  /** Empty where the body is no JSON object. */
  static Optional<ChatRequest> in(Body body) {
    try {
      var root = JSON.readTree(body.array());
      return root.isObject() ? Optional.of(read(root)) : Optional.empty();
    } catch (JacksonException notJson) {
      return Optional.empty();
    }
  }

  private static ChatRequest read(JsonNode root) {
    String prompt = "";
    int assistantTurns = 0;
    int tokens = TOKENS_PER_MESSAGE + Tokens.in(text(root.path("system")));
    for (var message : root.path("messages")) {
      var text = text(message.path("content"));
      tokens += TOKENS_PER_MESSAGE + Tokens.in(text);
      switch (message.path("role").asString("")) {
        case "user" -> prompt = text.isEmpty() ? prompt : text;
        case "assistant" -> assistantTurns++;
        default -> {}
      }
    }
    return new ChatRequest(
        root.path("model").asString("simulated"),
        prompt,
        root.path("user").asString(""),
        tokens,
        maxTokens(root),
        assistantTurns,
        root.path("stream").asBoolean(false),
        root.path("stream_options").path("include_usage").asBoolean(false),
        root.path("response_format").path("type").asString("").startsWith("json"));
  }

  private static String text(JsonNode content) {
    if (!content.isArray()) {
      return content.asString("");
    }
    var text = new StringBuilder();
    for (var part : content) {
      text.append(part.path("text").asString(""));
    }
    return text.toString();
  }

  private static OptionalInt maxTokens(JsonNode root) {
    for (var name : new String[] {"max_completion_tokens", "max_tokens"}) {
      var value = root.path(name);
      if (value.isInt() && value.intValue() > 0) {
        return OptionalInt.of(value.intValue());
      }
    }
    return OptionalInt.empty();
  }
}
