package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.egress.Egress;
import dev.coatcheck.worker.egress.EgressProbe;
import dev.coatcheck.worker.egress.EgressSettings;
import dev.coatcheck.worker.egress.KnownSecrets;
import dev.coatcheck.worker.egress.OutboundCall;
import dev.coatcheck.worker.egress.ResolveHost;
import dev.coatcheck.worker.egress.Secret;
import dev.coatcheck.worker.raw.RawServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.unit.DataSize;

/** A provider named openai whose server is ours. */
final class TestProvider implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-11-29T20:00:00Z");
  static final String API_KEY = "sk-canary-0123456789";

  private static final EgressSettings SETTINGS = settings(DataSize.ofMegabytes(32));
  static final DataSize SMALL = DataSize.ofMegabytes(2);

  private final RawServer server;
  private final Egress egress;
  private final Providers providers;

  private TestProvider(RawServer server, EgressSettings settings, ProviderSettings provider) {
    this.server = server;
    this.egress =
        Egress.open(settings, 50, EgressProbe.inert(), ResolveHost.system(Duration.ofSeconds(5)));
    this.providers =
        new Providers(
            new ProvidersSettings("openai", Map.of("openai", provider)),
            egress,
            () -> NOW,
            new KnownSecrets(List.of(Secret.of("other-canary-987"))));
  }

  static TestProvider start() {
    return start(Map.of(), Map.of());
  }

  /** Its calls go to another port than its server's. */
  static TestProvider at(int port) {
    return make(open(), "http://127.0.0.1:" + port, Map.of(), Map.of());
  }

  static TestProvider start(Map<String, Secret> headers, Map<String, Secret> query) {
    RawServer server = open();
    return make(server, base(server), headers, query);
  }

  /** Speaks that dialect. */
  static TestProvider speaking(String dialect) {
    RawServer server = open();
    return speaking(dialect, server, base(server));
  }

  /** Speaks that dialect to somebody else's server. */
  static TestProvider speaking(String dialect, String base) {
    return speaking(dialect, open(), base);
  }

  private static TestProvider speaking(String dialect, RawServer server, String base) {
    return new TestProvider(
        server,
        settings(SMALL),
        new ProviderSettings(dialect, base, Secret.of(API_KEY), Map.of(), Map.of(), 0, null));
  }

  private static EgressSettings settings(DataSize maxResponse) {
    return new EgressSettings(
        Duration.ofMillis(500), Duration.ofMillis(300), maxResponse, null, null);
  }

  private static TestProvider make(
      RawServer server, String base, Map<String, Secret> headers, Map<String, Secret> query) {
    return new TestProvider(
        server,
        SETTINGS,
        new ProviderSettings("openai", base, Secret.of(API_KEY), headers, query, 0, null));
  }

  private static RawServer open() {
    try {
      return RawServer.start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String base(RawServer server) {
    return "http://127.0.0.1:" + server.port() + "/v1/";
  }

  RawServer server() {
    return server;
  }

  /** The provider itself, for what the shorter ways do not say. */
  Provider provider() {
    return providers.all().iterator().next();
  }

  ProviderOutcome ask() {
    return ask("[{\"role\":\"user\",\"content\":\"hi\"}]", "{}", Duration.ofSeconds(10));
  }

  ProviderOutcome ask(Duration timeout) {
    return ask("[{\"role\":\"user\",\"content\":\"hi\"}]", "{}", timeout);
  }

  ProviderOutcome ask(String messages, String params, Duration timeout) {
    return ask(Dialogue.of(Body.utf8(messages)), params, timeout);
  }

  ProviderOutcome ask(Dialogue dialogue, String params, Duration timeout) {
    return ask(new TurnRequest("gpt-5-mini", dialogue, Body.utf8(params), null, timeout));
  }

  /** Asks for a stream, and tells the text of it. */
  ProviderOutcome stream(TextListener listener) {
    return ask(
        request(
            "[{\"role\":\"user\",\"content\":\"hi\"}]", "{}", listener, Duration.ofSeconds(10)));
  }

  static TurnRequest request(
      String messages, String params, @Nullable TextListener listener, Duration timeout) {
    return new TurnRequest(
        "gpt-5-mini", Dialogue.of(Body.utf8(messages)), Body.utf8(params), listener, timeout);
  }

  ProviderOutcome ask(TurnRequest request) {
    return provider().ask(request, new OutboundCall());
  }

  @Override
  public void close() throws IOException {
    egress.close();
    server.close();
  }
}
