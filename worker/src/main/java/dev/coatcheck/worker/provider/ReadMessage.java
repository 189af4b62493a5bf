package dev.coatcheck.worker.provider;

import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.json.RawJson.Kind;
import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.provider.Reading.Failed;
import dev.coatcheck.worker.provider.Reading.Unusable;
import dev.coatcheck.worker.provider.Reading.Usable;
import dev.coatcheck.worker.retry.Classify;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a message of Anthropic's, which is the answer itself. */
final class ReadMessage {
  private ReadMessage() {}

  static Reading of(Json body) {
    if (Classify.isError(body.tree())) {
      return new Failed(body.tree());
    }
    RawJson message = body.raw();
    Optional<RawJson> content = member(message, "content").filter(its -> its.kind() == Kind.ARRAY);
    if (content.isEmpty()) {
      return new Unusable("The answer has no content");
    }
    List<RawJson> blocks = content.get().elements();
    List<ToolCall> calls = toolCalls(blocks);
    if (calls.size() > Answer.MAX_TOOL_CALLS) {
      return new Unusable("The answer asks for " + calls.size() + " tools at once");
    }
    return new Usable(
        new Answer(
            Body.of(message.bytes()),
            text(blocks),
            finishReason(string(message, "stop_reason")),
            calls,
            usage(message, body.tree())));
  }

  /** In the words of the API: jobs of all providers are told apart by the same ones. */
  static @Nullable String finishReason(String stopReason) {
    return switch (stopReason) {
      case "" -> null;
      case "end_turn", "stop_sequence" -> "stop";
      // A turn of the provider's own tools that it paused is not whole either.
      case "max_tokens", "model_context_window_exceeded", "pause_turn" -> "length";
      case "tool_use" -> "tool_calls";
      case "refusal" -> "content_filter";
      default -> stopReason;
    };
  }

  private static List<ToolCall> toolCalls(List<RawJson> blocks) {
    return blocks.stream()
        .filter(block -> string(block, "type").equals("tool_use"))
        .map(
            block ->
                new ToolCall(
                    string(block, "id"),
                    string(block, "name"),
                    member(block, "input").map(RawJson::spelling).orElse("")))
        .toList();
  }

  private static @Nullable Body text(List<RawJson> blocks) {
    var text = new StringBuilder();
    boolean any = false;
    for (RawJson block : blocks) {
      if (string(block, "type").equals("text")) {
        any = true;
        text.append(string(block, "text"));
      }
    }
    return any ? Json.string(text.toString()) : null;
  }

  private static @Nullable Usage usage(RawJson message, JsonNode tree) {
    return member(message, "usage")
        .filter(its -> its.kind() == Kind.OBJECT && tree.path("usage").isObject())
        .map(its -> ReadUsage.of(tree.path("usage"), Body.of(its.bytes())))
        .orElse(null);
  }

  private static Optional<RawJson> member(RawJson of, String name) {
    return of.kind() == Kind.OBJECT ? of.member(name) : Optional.empty();
  }

  private static String string(RawJson of, String name) {
    return member(of, name)
        .filter(value -> value.kind() == Kind.STRING)
        .map(RawJson::text)
        .orElse("");
  }
}
