package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.provider.GrowJson.Part;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Puts the events of one of Anthropic's messages together. */
final class AssembleBlocks implements Assembly {
  private final TextListener listener;
  private final ObjectNode message = JsonNodeFactory.instance.objectNode();
  private final ObjectNode usage = JsonNodeFactory.instance.objectNode();
  private final Map<Integer, Block> blocks = new TreeMap<>();
  private Progress progress = Progress.OPEN;

  AssembleBlocks(TextListener listener) {
    this.listener = listener;
  }

  /**
   * A block that grows.
   *
   * @param input of a tool, as JSON in pieces
   */
  private record Block(GrowJson json, StringBuilder input) {
    Block(JsonNode start) {
      this(new GrowJson(), new StringBuilder());
      json.add(start);
    }
  }

  @Override
  public Progress take(Json event) {
    JsonNode data = event.tree();
    int index = data.path("index").asInt(0);
    switch (data.path("type").asString("")) {
      case "message_start" -> start(data.path("message"));
      case "content_block_start" -> {
        blocks.put(index, new Block(data.path("content_block")));
        tell(data.path("content_block"));
      }
      case "content_block_delta" -> delta(index, data.path("delta"));
      case "message_delta" -> end(data);
      case "message_stop" -> progress = Progress.DONE;
      default -> {}
    }
    return progress;
  }

  private void start(JsonNode begun) {
    begun.properties().forEach(member -> message.set(member.getKey(), member.getValue()));
    count(begun.path("usage"));
  }

  private void delta(int index, JsonNode delta) {
    Block block = blocks.get(index);
    if (block == null) {
      return;
    }
    switch (delta.path("type").asString("")) {
      case "input_json_delta" -> block.input.append(delta.path("partial_json").asString(""));
      case "citations_delta" -> {
        var list = JsonNodeFactory.instance.arrayNode().add(delta.path("citation"));
        block.json.add(JsonNodeFactory.instance.objectNode().set("citations", list));
      }
      default -> {
        block.json.addBut("type", delta);
        tell(delta);
      }
    }
  }

  /** Only a text has this member; a thought has its own. */
  private void tell(JsonNode words) {
    String text = words.path("text").asString("");
    String type = words.path("type").asString("");
    if (!text.isEmpty() && (type.equals("text") || type.equals("text_delta"))) {
      listener.text(text);
    }
  }

  private void end(JsonNode data) {
    for (Map.Entry<String, JsonNode> member : data.path("delta").properties()) {
      message.set(member.getKey(), member.getValue());
    }
    count(data.path("usage"));
    if (message.path("stop_reason").isString() && progress == Progress.OPEN) {
      progress = Progress.ENDED;
    }
  }

  /** The counts are sums already: the newest holds. */
  private void count(JsonNode counts) {
    for (Map.Entry<String, JsonNode> count : counts.properties()) {
      if (!count.getValue().isNull() || !usage.has(count.getKey())) {
        usage.set(count.getKey(), count.getValue());
      }
    }
  }

  @Override
  public Progress done() {
    progress = Progress.DONE;
    return progress;
  }

  @Override
  public Body body() {
    if (message.isEmpty()) {
      return Body.utf8("{}");
    }
    message.putIfAbsent("content", JsonNodeFactory.instance.arrayNode());
    message.putIfAbsent("usage", usage);
    var json = new WriteJson();
    String separator = "{";
    for (Map.Entry<String, JsonNode> member : message.properties()) {
      json.raw(separator).name(member.getKey());
      value(member.getKey(), member.getValue(), json);
      separator = ",";
    }
    return json.raw("}").end();
  }

  private void value(String name, JsonNode value, WriteJson json) {
    switch (name) {
      case "content" -> content(json);
      case "usage" -> json.raw(usage.toString());
      default -> json.raw(value.toString());
    }
  }

  private void content(WriteJson json) {
    json.raw("[");
    String separator = "";
    for (Block block : blocks.values()) {
      json.raw(separator);
      block(block, json);
      separator = ",";
    }
    json.raw("]");
  }

  private static void block(Block block, WriteJson json) {
    String separator = "{";
    for (Map.Entry<String, Part> member : block.json.members().entrySet()) {
      json.raw(separator).name(member.getKey());
      if (member.getKey().equals("input") && !block.input.isEmpty()) {
        input(block.input.toString(), json);
      } else {
        json.part(member.getValue());
      }
      separator = ",";
    }
    json.raw(separator.equals("{") ? "{}" : "}");
  }

  /** What is no JSON is told as Anthropic would have it told to the model. */
  private static void input(String text, WriteJson json) {
    @Nullable Json parsed = Json.parse(Body.utf8(text)).orElse(null);
    if (parsed == null) {
      json.raw("{\"INVALID_JSON\":").string(text).raw("}");
    } else {
      json.raw(parsed.bytes());
    }
  }
}
