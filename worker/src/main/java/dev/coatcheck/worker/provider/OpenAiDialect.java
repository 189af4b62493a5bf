package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.egress.EgressRequest;
import dev.coatcheck.worker.egress.Header;
import dev.coatcheck.worker.provider.Answer.ToolCalls;
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

  OpenAiDialect(ProviderSettings settings) {
    this.uri = ProviderUri.of(settings, "/chat/completions");
    this.headers = headers(settings);
  }

  private static List<Header> headers(ProviderSettings settings) {
    List<Header> headers = new ArrayList<>();
    headers.add(new Header("Content-Type", "application/json"));
    headers.add(new Header("Accept", "application/json"));
    if (settings.apiKey().isPresent()) {
      headers.add(new Header("Authorization", "Bearer " + settings.apiKey().reveal()));
    }
    settings.headers().forEach((name, value) -> headers.add(new Header(name, value.reveal())));
    return List.copyOf(headers);
  }

  @Override
  public EgressRequest write(TurnRequest request) {
    Body body =
        new SpliceJson()
            .member("model", Json.string(request.model()))
            .member("messages", request.messages())
            .membersOf(request.params())
            .end();
    return new EgressRequest(uri, headers, body, request.timeout());
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
    Body usage = slices.usage();
    return new Usable(
        new Answer(
            slices.message(),
            slices.text() == null ? parts(message.path("content")) : slices.text(),
            finish.isEmpty() ? null : finish,
            toolCalls(message),
            usage == null ? null : ReadUsage.of(body.tree().path("usage"), usage)));
  }

  private static ToolCalls toolCalls(JsonNode message) {
    JsonNode calls = message.path("tool_calls");
    return calls.isArray() && !calls.isEmpty() ? ToolCalls.SOME : ToolCalls.NONE;
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
