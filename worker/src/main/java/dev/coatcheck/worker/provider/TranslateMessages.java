package dev.coatcheck.worker.provider;

import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.json.RawJson.Kind;
import dev.coatcheck.worker.egress.Body;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says a dialogue in Anthropic's words: what the system says stands apart, results of tools are a
 * user's message, turns are lists of blocks. Whatever has Anthropic's shape already is left as it
 * is, thinking and all.
 */
final class TranslateMessages {
  /** Annotations only tell how the text came about. */
  private static final Set<String> OF_ASSISTANT =
      Set.of("role", "content", "refusal", "tool_calls", "annotations", "cache_control");

  private final Untranslated faults;
  private final TranslateParts parts;
  private final SpliceJson system = SpliceJson.array();
  private final SpliceJson messages = SpliceJson.array();
  private SpliceJson results = SpliceJson.array();
  private boolean hasSystem;
  private boolean hasResults;

  TranslateMessages(Untranslated faults) {
    this.faults = faults;
    this.parts = new TranslateParts(faults);
  }

  /**
   * Adds the messages to a request.
   *
   * @return what the system says, an array of blocks, if it says anything
   */
  Optional<Body> into(SpliceJson request, Dialogue dialogue) {
    List<RawJson> asked = RawJson.of(dialogue.messages().toBytes()).elements();
    for (int i = 0; i < asked.size(); i++) {
      message(asked.get(i), "messages[" + i + "]");
    }
    for (int i = 0; i < dialogue.turns().size(); i++) {
      PastTurn turn = dialogue.turns().get(i);
      assistant(RawJson.of(turn.message().toBytes()), "turn " + (i + 1));
      turn.results().forEach(this::result);
    }
    flushResults();
    request.member("messages", messages.end());
    return hasSystem ? Optional.of(system.end()) : Optional.empty();
  }

  private void message(RawJson message, String path) {
    String role = message.member("role").map(RawJson::text).orElse("");
    switch (role) {
      case "system", "developer" -> system(message, path);
      case "user" -> user(message, path);
      case "assistant" -> assistant(message, path);
      case "tool" -> tool(message, path);
      default -> faults.add(path + ".role", "is none that this provider knows");
    }
  }

  private void system(RawJson message, String path) {
    refuseOthers(message, path, Set.of("role", "content", "cache_control"));
    Optional<RawJson> content = message.member("content");
    if (content.isEmpty()) {
      return;
    }
    for (Body block : blocks(message, content.get(), path)) {
      system.element(block);
      hasSystem = true;
    }
  }

  private void user(RawJson message, String path) {
    flushResults();
    refuseOthers(message, path, Set.of("role", "content", "cache_control"));
    Optional<RawJson> content = message.member("content");
    boolean isPlain = content.isPresent() && content.get().kind() == Kind.STRING;
    if (isPlain && message.member("cache_control").isEmpty()) {
      say("user", Body.of(content.get().bytes()));
    } else {
      say("user", array(content.map(its -> blocks(message, its, path)).orElse(List.of())));
    }
  }

  private void assistant(RawJson message, String path) {
    flushResults();
    Optional<RawJson> content = message.member("content");
    if (isNative(message) && content.isPresent()) {
      say("assistant", Body.of(content.get().bytes()));
      return;
    }
    Optional<RawJson> calls = present(message, "tool_calls");
    Optional<RawJson> refusal = present(message, "refusal");
    refuseOthers(message, path, OF_ASSISTANT);
    if (calls.isEmpty() && refusal.isEmpty() && isString(content) && !isCached(message)) {
      say("assistant", Body.of(content.orElseThrow().bytes()));
      return;
    }
    SpliceJson blocks = SpliceJson.array();
    content.ifPresent(its -> blocks(message, its, path).forEach(blocks::element));
    refusal
        .filter(text -> text.kind() == Kind.STRING)
        .ifPresent(text -> blocks.element(TranslateParts.text(Body.of(text.bytes()))));
    calls.ifPresent(its -> calls(its, path, blocks));
    say("assistant", blocks.end());
  }

  /** A whole message of Anthropic's: of a recorded turn, or the output of an earlier job. */
  private static boolean isNative(RawJson message) {
    return message
        .member("type")
        .filter(type -> type.kind() == Kind.STRING && type.text().equals("message"))
        .isPresent();
  }

  private void calls(RawJson calls, String path, SpliceJson blocks) {
    if (calls.kind() != Kind.ARRAY) {
      faults.add(path + ".tool_calls", "is no list");
      return;
    }
    List<RawJson> all = calls.elements();
    for (int i = 0; i < all.size(); i++) {
      call(all.get(i), path + ".tool_calls[" + i + "]", blocks);
    }
  }

  private void call(RawJson call, String path, SpliceJson blocks) {
    Optional<RawJson> function = object(call, "function");
    Optional<RawJson> id = string(call, "id");
    Optional<RawJson> name = function.flatMap(its -> string(its, "name"));
    if (id.isEmpty() || name.isEmpty()) {
      faults.add(path, "is no call of a function");
      return;
    }
    blocks.element(
        SpliceJson.object()
            .member("type", Json.string("tool_use"))
            .member("id", Body.of(id.get().bytes()))
            .member("name", Body.of(name.get().bytes()))
            .member("input", input(function.get(), path))
            .end());
  }

  private Body input(RawJson function, String path) {
    String text = string(function, "arguments").map(RawJson::text).orElse("");
    if (text.isBlank()) {
      return Body.utf8("{}");
    }
    // What is a half surrogate in the text has no UTF-8: the JSON would not parse.
    Body json = Body.utf8(text.strip());
    if (Json.parse(json).filter(parsed -> parsed.tree().isObject()).isEmpty()) {
      faults.add(path + ".function.arguments", "is no JSON object");
    }
    return json;
  }

  private void tool(RawJson message, String path) {
    refuseOthers(message, path, Set.of("role", "content", "tool_call_id", "cache_control"));
    Optional<RawJson> id = string(message, "tool_call_id");
    if (id.isEmpty()) {
      faults.add(path + ".tool_call_id", "is missing");
      return;
    }
    SpliceJson result =
        SpliceJson.object()
            .member("type", Json.string("tool_result"))
            .member("tool_use_id", Body.of(id.get().bytes()));
    Optional<RawJson> content = present(message, "content");
    if (isString(content)) {
      result.member("content", Body.of(content.orElseThrow().bytes()));
    } else {
      content.ifPresent(its -> result.member("content", array(parts.of(its, path + ".content"))));
    }
    message
        .member("cache_control")
        .ifPresent(its -> result.member("cache_control", Body.of(its.bytes())));
    add(result.end());
  }

  private void result(ToolResult result) {
    SpliceJson json =
        SpliceJson.object()
            .member("type", Json.string("tool_result"))
            .member("tool_use_id", Json.string(result.callId()))
            .member("content", Json.string(result.content()));
    if (result.kind() == ToolResult.Kind.ERROR) {
      json.member("is_error", Body.utf8("true"));
    }
    add(json.end());
  }

  private void add(Body result) {
    results.element(result);
    hasResults = true;
  }

  /** Results that follow one another are one message: all of a turn's must be in the next. */
  private void flushResults() {
    if (hasResults) {
      say("user", results.end());
      results = SpliceJson.array();
      hasResults = false;
    }
  }

  private void say(String role, Body content) {
    messages.element(
        SpliceJson.object().member("role", Json.string(role)).member("content", content).end());
  }

  /** A content as blocks; an empty text is none. */
  private List<Body> blocks(RawJson message, RawJson content, String path) {
    Optional<RawJson> cache = message.member("cache_control");
    if (content.kind() != Kind.STRING) {
      if (cache.isPresent()) {
        faults.add(path + ".cache_control", "belongs to a part of the content");
      }
      return parts.of(content, path + ".content");
    }
    if (content.length() == 2) {
      return List.of();
    }
    SpliceJson text =
        SpliceJson.object()
            .member("type", Json.string("text"))
            .member("text", Body.of(content.bytes()));
    cache.ifPresent(its -> text.member("cache_control", Body.of(its.bytes())));
    return List.of(text.end());
  }

  private static Body array(List<Body> blocks) {
    SpliceJson array = SpliceJson.array();
    blocks.forEach(array::element);
    return array.end();
  }

  private void refuseOthers(RawJson message, String path, Set<String> known) {
    for (RawJson.Member member : message.members()) {
      if (!known.contains(member.name()) && member.value().kind() != Kind.NULL) {
        faults.add(path + "." + member.name(), "cannot be said to this provider");
      }
    }
  }

  private static boolean isCached(RawJson message) {
    return message.member("cache_control").isPresent();
  }

  private static boolean isString(Optional<RawJson> value) {
    return value.filter(its -> its.kind() == Kind.STRING).isPresent();
  }

  private static Optional<RawJson> present(RawJson object, String name) {
    return object.member(name).filter(value -> value.kind() != Kind.NULL);
  }

  private static Optional<RawJson> object(RawJson of, String name) {
    return of.kind() == Kind.OBJECT
        ? of.member(name).filter(value -> value.kind() == Kind.OBJECT)
        : Optional.empty();
  }

  private static Optional<RawJson> string(RawJson of, String name) {
    return of.kind() == Kind.OBJECT
        ? of.member(name).filter(value -> value.kind() == Kind.STRING)
        : Optional.empty();
  }
}
