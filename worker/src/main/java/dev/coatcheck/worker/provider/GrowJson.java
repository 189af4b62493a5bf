package dev.coatcheck.worker.provider;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A JSON object that grows by deltas: strings are joined, but for those that are said whole;
 * objects are merged; items of lists find theirs by {@code index}. Half surrogates that come apart
 * meet again.
 */
final class GrowJson {
  /** Said once, or said again the same. */
  private static final Set<String> WHOLE = Set.of("role", "id", "type", "name", "format", "object");

  /** How far back an item of a list is looked for. */
  private static final int MAX_LOOK_BACK = 256;

  private final Part.Members root = new Part.Members(new LinkedHashMap<>());

  /** A value that may grow. */
  sealed interface Part {
    record Text(StringBuilder text) implements Part {}

    record Members(Map<String, Part> members) implements Part {}

    record Items(List<Part> items) implements Part {}

    record Fixed(JsonNode value) implements Part {}
  }

  /** What has grown so far. Not a copy. */
  Map<String, Part> members() {
    return root.members();
  }

  void add(JsonNode delta) {
    merge(root, delta);
  }

  /** Adds a delta, but for one member of it. */
  void addBut(String left, JsonNode delta) {
    for (Map.Entry<String, JsonNode> member : delta.properties()) {
      if (!member.getKey().equals(left)) {
        merge(root, member.getKey(), member.getValue());
      }
    }
  }

  private static void merge(Part.Members into, JsonNode delta) {
    for (Map.Entry<String, JsonNode> member : delta.properties()) {
      merge(into, member.getKey(), member.getValue());
    }
  }

  private static void merge(Part.Members into, String name, JsonNode delta) {
    into.members().put(name, grown(name, into.members().get(name), delta));
  }

  private static Part grown(String name, @Nullable Part old, JsonNode delta) {
    if (old == null || isNull(old)) {
      return made(delta);
    }
    if (delta.isNull() || (WHOLE.contains(name) && delta.asString("").isEmpty())) {
      return old;
    }
    return switch (old) {
      case Part.Text text when delta.isString() && !WHOLE.contains(name) -> {
        text.text().append(delta.stringValue());
        yield old;
      }
      case Part.Text text when delta.isArray() -> itemsAfter(text, delta);
      case Part.Items items when delta.isString() -> {
        items.items().add(textPart(new StringBuilder(delta.stringValue())));
        yield old;
      }
      case Part.Items items when delta.isArray() -> {
        delta.forEach(item -> put(items.items(), item));
        yield old;
      }
      case Part.Members members when delta.isObject() -> {
        merge(members, delta);
        yield old;
      }
      case Part.Text _, Part.Items _, Part.Members _, Part.Fixed _ -> made(delta);
    };
  }

  private static boolean isNull(Part part) {
    return part instanceof Part.Fixed(JsonNode value) && value.isNull();
  }

  private static Part made(JsonNode delta) {
    if (delta.isString()) {
      return new Part.Text(new StringBuilder(delta.stringValue()));
    }
    if (delta.isObject()) {
      var members = new Part.Members(new LinkedHashMap<>());
      merge(members, delta);
      return members;
    }
    if (delta.isArray()) {
      var items = new Part.Items(new ArrayList<>());
      delta.forEach(item -> put(items.items(), item));
      return items;
    }
    return new Part.Fixed(delta);
  }

  /** A content that was a text goes on as a list of parts. */
  private static Part itemsAfter(Part.Text text, JsonNode delta) {
    var items = new Part.Items(new ArrayList<>());
    if (!text.text().isEmpty()) {
      items.items().add(textPart(text.text()));
    }
    delta.forEach(item -> put(items.items(), item));
    return items;
  }

  private static Part textPart(StringBuilder text) {
    var members = new LinkedHashMap<String, Part>();
    members.put("type", new Part.Text(new StringBuilder("text")));
    members.put("text", new Part.Text(text));
    return new Part.Members(members);
  }

  private static void put(List<Part> items, JsonNode item) {
    Part.Members its = find(items, item);
    if (its == null) {
      items.add(made(item));
    } else {
      merge(its, item);
    }
  }

  /** The newest of that index. One with another id and a name is another, whatever its index. */
  private static Part.@Nullable Members find(List<Part> items, JsonNode item) {
    JsonNode index = item.path("index");
    List<Part> newest = items.subList(Math.max(0, items.size() - MAX_LOOK_BACK), items.size());
    for (Part old : newest.reversed()) {
      if (index.isIntegralNumber()
          && old instanceof Part.Members members
          && members.members().get("index") instanceof Part.Fixed(JsonNode its)
          && its.equals(index)) {
        return isAnother(members, item) ? null : members;
      }
    }
    return null;
  }

  private static boolean isAnother(Part.Members old, JsonNode item) {
    String id = item.path("id").asString("");
    boolean isNamed = !item.path("function").path("name").asString("").isEmpty();
    return isNamed
        && !id.isEmpty()
        && old.members().get("id") instanceof Part.Text(StringBuilder its)
        && !its.isEmpty()
        && !its.toString().equals(id);
  }
}
