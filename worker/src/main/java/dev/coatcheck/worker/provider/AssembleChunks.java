package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.provider.GrowJson.Part;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;

/** Puts the chunks of Chat Completions together: the first choice's, and the usage. */
final class AssembleChunks implements Assembly {
  private final TextListener listener;
  private final GrowJson message = new GrowJson();
  private @Nullable JsonNode blocked;
  private @Nullable String finishReason;
  private @Nullable Body usage;
  private boolean hasChoice;
  private boolean isDone;

  AssembleChunks(TextListener listener) {
    this.listener = listener;
    message.members().put("role", new Part.Text(new StringBuilder("assistant")));
    message.members().put("content", new Part.Fixed(NullNode.getInstance()));
  }

  @Override
  public Progress take(Json chunk) {
    JsonNode root = chunk.tree();
    JsonNode choices = root.path("choices");
    for (int i = 0; i < choices.size(); i++) {
      if (choices.path(i).path("index").asInt(i) == 0) {
        choice(choices.path(i));
      }
    }
    if (root.path("usage").isObject()) {
      usage = ReadSlices.of(chunk.bytes()).usage();
    }
    if (root.path("promptFeedback").has("blockReason")) {
      blocked = root.path("promptFeedback");
      isDone = true;
    }
    return progress();
  }

  private void choice(JsonNode choice) {
    hasChoice = true;
    JsonNode delta = choice.path("delta");
    if (!delta.isObject()) {
      // Some send the last chunk, or the only one, as it would be without a stream.
      delta = choice.path("message");
    }
    if (delta.isObject()) {
      tell(delta.path("content"));
      message.add(delta);
    }
    String reason = choice.path("finish_reason").asString("");
    if (!reason.isEmpty()) {
      finishReason = reason;
    }
  }

  private void tell(JsonNode content) {
    if (content.isString()) {
      tell(content.stringValue());
    } else if (content.isArray()) {
      content.forEach(part -> tell(part.path("text").asString("")));
    }
  }

  private void tell(String text) {
    if (!text.isEmpty()) {
      listener.text(text);
    }
  }

  private Progress progress() {
    if (isDone) {
      return Progress.DONE;
    }
    return finishReason == null ? Progress.OPEN : Progress.ENDED;
  }

  @Override
  public Progress done() {
    isDone = true;
    return Progress.DONE;
  }

  @Override
  public Body body() {
    var json = new WriteJson().raw("{\"choices\":[");
    if (hasChoice) {
      json.raw("{\"index\":0,\"message\":").part(new Part.Members(whole()));
      json.raw(",\"finish_reason\":");
      if (finishReason == null) {
        json.raw("null");
      } else {
        json.string(finishReason);
      }
      json.raw("}");
    }
    json.raw("]");
    if (blocked != null) {
      json.raw(",\"promptFeedback\":" + blocked);
    }
    if (usage != null) {
      json.raw(",\"usage\":").raw(usage);
    }
    return json.raw("}").end();
  }

  /** The message as it would have come at once: its tool calls have no index, but a type. */
  private Map<String, Part> whole() {
    Map<String, Part> whole = new LinkedHashMap<>(message.members());
    if (whole.get("tool_calls") instanceof Part.Items(var calls)) {
      whole.put("tool_calls", new Part.Items(calls.stream().map(AssembleChunks::call).toList()));
    }
    return whole;
  }

  private static Part call(Part call) {
    if (!(call instanceof Part.Members(var members))) {
      return call;
    }
    Map<String, Part> whole = new LinkedHashMap<>(members);
    whole.remove("index");
    if (whole.containsKey("function")) {
      whole.putIfAbsent("type", new Part.Fixed(JsonNodeFactory.instance.stringNode("function")));
    }
    return new Part.Members(whole);
  }
}
