package dev.coatcheck.worker.provider;

import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.json.RawJson.Kind;
import dev.coatcheck.worker.egress.Body;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Says the params of Chat Completions in Anthropic's words. A param that Anthropic knows, or that
 * nobody knows, goes as it is; one that means something to others only is refused, unless it asks
 * for what happens anyway.
 */
final class TranslateParams {
  /** What Anthropic has nothing for, each with the values that ask for nothing. */
  private static final Map<String, Set<String>> UNSAYABLE =
      Map.ofEntries(
          Map.entry("n", Set.of("1")),
          Map.entry("frequency_penalty", Set.of("0", "0.0")),
          Map.entry("presence_penalty", Set.of("0", "0.0")),
          Map.entry("logit_bias", Set.of("{}")),
          Map.entry("logprobs", Set.of("false")),
          Map.entry("top_logprobs", Set.of("0")),
          Map.entry("seed", Set.of()),
          Map.entry("modalities", Set.of("[\"text\"]")),
          Map.entry("audio", Set.of()),
          Map.entry("prediction", Set.of()),
          Map.entry("functions", Set.of("[]")),
          Map.entry("function_call", Set.of("\"none\"", "\"auto\"")),
          Map.entry("reasoning_effort", Set.of()),
          Map.entry("verbosity", Set.of()),
          Map.entry("web_search_options", Set.of()),
          Map.entry("store", Set.of("false")));

  private final RawJson params;
  private final Untranslated faults;

  TranslateParams(RawJson params, Untranslated faults) {
    this.params = params;
    this.faults = faults;
  }

  /**
   * @param system what the messages say as the system, if they do
   * @param maxTokens the limit when the caller names none
   */
  void into(SpliceJson request, Optional<Body> system, int maxTokens) {
    system.ifPresent(
        blocks -> {
          request.member("system", blocks);
          refuseBeside("system", "stands beside a system message");
        });
    request.member("max_tokens", maxTokens(maxTokens));
    toolChoice(request);
    for (RawJson.Member param : params.members()) {
      if (param.value().kind() != Kind.NULL || !isOurs(param.name())) {
        param(request, param);
      }
    }
  }

  private static boolean isOurs(String name) {
    return UNSAYABLE.containsKey(name)
        || Set.of("stop", "user", "response_format", "stream_options").contains(name);
  }

  private void param(SpliceJson request, RawJson.Member param) {
    Body value = Body.of(param.value().bytes());
    switch (param.name()) {
      case "max_tokens",
          "max_completion_tokens",
          "tool_choice",
          "parallel_tool_calls",
          // Anthropic's streams tell their usage anyway.
          "stream_options" -> {}
      case "stop" -> stop(request, param.value());
      case "user" -> {
        refuseBeside("metadata", "stands beside user");
        request.member("metadata", SpliceJson.object().member("user_id", value).end());
      }
      case "response_format" -> responseFormat(request, param.value());
      default -> {
        if (isUnsayable(param)) {
          faults.add(path(param.name()), "has no counterpart at this provider");
        }
        if (!UNSAYABLE.containsKey(param.name())) {
          request.member(param.name(), value);
        }
      }
    }
  }

  private static boolean isUnsayable(RawJson.Member param) {
    Set<String> harmless = UNSAYABLE.get(param.name());
    return harmless != null && !harmless.contains(param.value().spelling());
  }

  private Body maxTokens(int standard) {
    return present("max_completion_tokens")
        .or(() -> present("max_tokens"))
        .map(value -> Body.of(value.bytes()))
        .orElseGet(() -> Body.utf8(Integer.toString(standard)));
  }

  private void stop(SpliceJson request, RawJson stop) {
    refuseBeside("stop_sequences", "stands beside stop");
    Body sequences = Body.of(stop.bytes());
    request.member(
        "stop_sequences",
        stop.kind() == Kind.ARRAY ? sequences : SpliceJson.array().element(sequences).end());
  }

  private void responseFormat(SpliceJson request, RawJson format) {
    String type = text(format, "type");
    switch (type) {
      case "text" -> {}
      case "json_schema" -> {
        Optional<RawJson> schema =
            member(format, "json_schema").flatMap(its -> member(its, "schema"));
        if (schema.isEmpty()) {
          faults.add(path("response_format.json_schema.schema"), "is missing");
          return;
        }
        refuseBeside("output_config", "stands beside response_format");
        Body its =
            SpliceJson.object()
                .member("type", Json.string("json_schema"))
                .member("schema", Body.of(schema.get().bytes()))
                .end();
        request.member("output_config", SpliceJson.object().member("format", its).end());
      }
      default ->
          faults.add(
              path("response_format"), "is of a type that this provider has no counterpart for");
    }
  }

  private void toolChoice(SpliceJson request) {
    boolean isSerial =
        present("parallel_tool_calls").filter(its -> its.spelling().equals("false")).isPresent();
    Optional<RawJson> choice = present("tool_choice");
    if (choice.isEmpty() && !isSerial) {
      return;
    }
    SpliceJson json = SpliceJson.object();
    if (choice.isEmpty()) {
      json.member("type", Json.string("auto"));
    } else {
      choose(choice.get(), json);
    }
    if (isSerial && !choice.map(RawJson::spelling).orElse("").equals("\"none\"")) {
      json.member("disable_parallel_tool_use", Body.utf8("true"));
    }
    request.member("tool_choice", json.end());
  }

  private void choose(RawJson choice, SpliceJson json) {
    if (choice.kind() == Kind.STRING) {
      switch (choice.text()) {
        case "auto", "none" -> json.member("type", Body.of(choice.bytes()));
        case "required" -> json.member("type", Json.string("any"));
        default -> faults.add(path("tool_choice"), "is none that this provider knows");
      }
      return;
    }
    switch (text(choice, "type")) {
      case "function" -> {
        String name = member(choice, "function").map(function -> text(function, "name")).orElse("");
        json.member("type", Json.string("tool")).member("name", Json.string(name));
      }
      case "auto", "any", "tool", "none" -> json.membersOf(Body.of(choice.bytes()));
      default -> faults.add(path("tool_choice"), "is none that this provider knows");
    }
  }

  private void refuseBeside(String other, String why) {
    if (present(other).isPresent()) {
      faults.add(path(other), why);
    }
  }

  private static String path(String param) {
    return "params." + param;
  }

  private Optional<RawJson> present(String name) {
    return member(params, name).filter(value -> value.kind() != Kind.NULL);
  }

  private static Optional<RawJson> member(RawJson of, String name) {
    return of.kind() == Kind.OBJECT ? of.member(name) : Optional.empty();
  }

  private static String text(RawJson of, String name) {
    return member(of, name)
        .filter(value -> value.kind() == Kind.STRING)
        .map(RawJson::text)
        .orElse("");
  }
}
