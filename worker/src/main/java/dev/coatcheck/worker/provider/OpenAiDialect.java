package dev.coatcheck.worker.provider;

import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.egress.EgressRequest;
import dev.coatcheck.worker.egress.Header;
import dev.coatcheck.worker.provider.ReadSlices.Slices;
import dev.coatcheck.worker.provider.Reading.Blocked;
import dev.coatcheck.worker.provider.Reading.Failed;
import dev.coatcheck.worker.provider.Reading.Unusable;
import dev.coatcheck.worker.provider.Reading.Usable;
import dev.coatcheck.worker.retry.Classify;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Chat Completions, as OpenAI began it and many speak it. */
final class OpenAiDialect implements Dialect {
  private final URI uri;
  private final List<Header> headers;

  /** Mistral refuses the option, and tells its usage without. */
  private final boolean knowsUsageOption;

  OpenAiDialect(ProviderSettings settings) {
    this.uri = ProviderUri.of(settings, "/chat/completions");
    this.headers = headers(settings);
    this.knowsUsageOption = !uri.getHost().endsWith("mistral.ai");
  }

  private static List<Header> headers(ProviderSettings settings) {
    List<Header> headers = new ArrayList<>();
    headers.add(new Header("Content-Type", "application/json"));
    headers.add(new Header("Accept", "application/json, text/event-stream"));
    if (settings.apiKey().isPresent()) {
      headers.add(new Header("Authorization", "Bearer " + settings.apiKey().reveal()));
    }
    settings.headers().forEach((name, value) -> headers.add(new Header(name, value.reveal())));
    return List.copyOf(headers);
  }

  @Override
  public Draft write(TurnRequest request) {
    Dialogue dialogue = request.dialogue();
    SpliceJson body =
        SpliceJson.object()
            .member("model", Json.string(request.model()))
            .member("messages", messages(dialogue));
    if (!dialogue.tools().isEmpty()) {
      body.member("tools", tools(dialogue.tools()));
    }
    body.membersOf(request.params());
    if (request.listener() != null) {
      stream(body, request.params());
    }
    return new Draft.Sendable(new EgressRequest(uri, headers, body.end(), request.timeout()));
  }

  /** Without the option a stream says nothing of its usage; the caller's own word wins. */
  private void stream(SpliceJson body, Body params) {
    body.member("stream", Body.utf8("true"));
    if (knowsUsageOption && RawJson.of(params.toBytes()).member("stream_options").isEmpty()) {
      body.member("stream_options", Body.utf8("{\"include_usage\":true}"));
    }
  }

  @Override
  public Assembly assembly(TextListener listener) {
    return new AssembleChunks(listener);
  }

  private static Body messages(Dialogue dialogue) {
    if (dialogue.turns().isEmpty()) {
      return dialogue.messages();
    }
    SpliceJson messages = SpliceJson.array().elementsOf(dialogue.messages());
    for (PastTurn turn : dialogue.turns()) {
      messages.element(turn.message());
      turn.results().forEach(result -> messages.element(toolMessage(result)));
    }
    return messages.end();
  }

  private static Body toolMessage(ToolResult result) {
    return SpliceJson.object()
        .member("role", Json.string("tool"))
        .member("tool_call_id", Json.string(result.callId()))
        .member("content", Json.string(result.content()))
        .end();
  }

  private static Body tools(List<OfferedTool> tools) {
    SpliceJson list = SpliceJson.array();
    tools.forEach(tool -> list.element(tool(tool)));
    return list.end();
  }

  private static Body tool(OfferedTool tool) {
    SpliceJson function = SpliceJson.object().member("name", Json.string(tool.name()));
    if (!tool.description().isEmpty()) {
      function.member("description", Json.string(tool.description()));
    }
    return SpliceJson.object()
        .member("type", Json.string("function"))
        .member("function", function.member("parameters", tool.schema()).end())
        .end();
  }

  @Override
  public Reading read(Json body) {
    JsonNode root = body.tree();
    if (Classify.isError(root)) {
      return new Failed(root);
    }
    String blocked = root.path("promptFeedback").path("blockReason").asString("");
    if (!blocked.isEmpty()) {
      return new Blocked("The prompt was blocked: " + blocked);
    }
    JsonNode choices = root.path("choices");
    if (!choices.isArray() || choices.isEmpty()) {
      return new Unusable("The answer has no choices");
    }
    return choice(choices.path(0), body);
  }

  private static Reading choice(JsonNode choice, Json body) {
    if (Classify.isError(choice)) {
      return new Failed(choice);
    }
    JsonNode message = choice.path("message");
    String finish = choice.path("finish_reason").asString("");
    if (finish.equals("error")) {
      return new Unusable("The answer ended with an error");
    }
    return message.isObject()
        ? usable(message, finish, body)
        : new Unusable("The answer has no message");
  }

  private static Reading usable(JsonNode message, String finish, Json body) {
    Slices slices = ReadSlices.of(body.bytes());
    if (slices.message() == null) {
      return new Unusable("The answer has no message");
    }
    List<ToolCall> toolCalls = toolCalls(message.path("tool_calls"));
    if (toolCalls.size() > Answer.MAX_TOOL_CALLS) {
      return new Unusable("The answer asks for " + toolCalls.size() + " tools at once");
    }
    Body usage = slices.usage();
    return new Usable(
        new Answer(
            slices.message(),
            slices.text() == null ? parts(message.path("content")) : slices.text(),
            finish.isEmpty() ? null : finish,
            toolCalls,
            usage == null ? null : ReadUsage.of(body.tree().path("usage"), usage)));
  }

  /** What is no call of a function has no name: it is told apart later, and answered. */
  private static List<ToolCall> toolCalls(JsonNode calls) {
    List<ToolCall> read = new ArrayList<>();
    for (JsonNode call : calls) {
      if (calls.isArray()) {
        JsonNode function = call.path("function");
        read.add(
            new ToolCall(
                call.path("id").asString(""),
                function.path("name").asString(""),
                arguments(function.path("arguments"))));
      }
    }
    return read;
  }

  /** A text by the book; some send the object itself. */
  private static String arguments(JsonNode arguments) {
    return arguments.isContainer() ? arguments.toString() : arguments.asString("");
  }

  /** The text of a content in parts. */
  private static @Nullable Body parts(JsonNode content) {
    StringBuilder text = new StringBuilder();
    boolean any = false;
    for (JsonNode part : content) {
      JsonNode words = part.path("text");
      if (content.isArray() && words.isString()) {
        any = true;
        text.append(words.stringValue());
      }
    }
    return any ? Json.string(text.toString()) : null;
  }
}
