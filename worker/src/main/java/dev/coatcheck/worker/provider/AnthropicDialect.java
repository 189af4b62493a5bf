package dev.coatcheck.worker.provider;

import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.egress.EgressRequest;
import dev.coatcheck.worker.egress.Header;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Anthropic's Messages, for jobs in the shape of Chat Completions. */
final class AnthropicDialect implements Dialect {
  private static final String VERSION = "2023-06-01";

  /** Messages must name a limit; this one when neither the caller nor the settings do. */
  private static final int MAX_TOKENS = 4096;

  private final URI uri;
  private final List<Header> headers;
  private final int maxTokens;

  AnthropicDialect(ProviderSettings settings) {
    this.uri = ProviderUri.of(settings, "/v1/messages");
    this.headers = headers(settings);
    @Nullable Integer most = settings.maxTokens();
    this.maxTokens = most == null ? MAX_TOKENS : most;
  }

  private static List<Header> headers(ProviderSettings settings) {
    List<Header> headers = new ArrayList<>();
    headers.add(new Header("Content-Type", "application/json"));
    headers.add(new Header("Accept", "application/json, text/event-stream"));
    if (settings.headers().keySet().stream().noneMatch("anthropic-version"::equalsIgnoreCase)) {
      headers.add(new Header("anthropic-version", VERSION));
    }
    if (settings.apiKey().isPresent()) {
      headers.add(new Header("x-api-key", settings.apiKey().reveal()));
    }
    settings.headers().forEach((name, value) -> headers.add(new Header(name, value.reveal())));
    return List.copyOf(headers);
  }

  @Override
  public Draft write(TurnRequest request) {
    var faults = new Untranslated();
    SpliceJson body = SpliceJson.object().member("model", Json.string(request.model()));
    List<OfferedTool> tools = request.dialogue().tools();
    if (!tools.isEmpty()) {
      body.member("tools", tools(tools));
    }
    Optional<Body> system = new TranslateMessages(faults).into(body, request.dialogue());
    RawJson params = RawJson.of(request.params().toBytes());
    new TranslateParams(params, faults).into(body, system, maxTokens);
    if (request.listener() != null) {
      body.member("stream", Body.utf8("true"));
    }
    return faults
        .first()
        .<Draft>map(fault -> fault)
        .orElseGet(
            () ->
                new Draft.Sendable(new EgressRequest(uri, headers, body.end(), request.timeout())));
  }

  private static Body tools(List<OfferedTool> tools) {
    SpliceJson list = SpliceJson.array();
    tools.forEach(tool -> list.element(tool(tool)));
    return list.end();
  }

  private static Body tool(OfferedTool tool) {
    SpliceJson json = SpliceJson.object().member("name", Json.string(tool.name()));
    if (!tool.description().isEmpty()) {
      json.member("description", Json.string(tool.description()));
    }
    return json.member("input_schema", tool.schema()).end();
  }

  @Override
  public Reading read(Json body) {
    return ReadMessage.of(body);
  }

  @Override
  public Assembly assembly(TextListener listener) {
    return new AssembleBlocks(listener);
  }
}
