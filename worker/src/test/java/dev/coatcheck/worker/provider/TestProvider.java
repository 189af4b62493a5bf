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
import org.springframework.util.unit.DataSize;

/** A provider named openai whose server is ours. */
final class TestProvider implements AutoCloseable {
  static final Instant NOW = Instant.parse("2026-11-29T20:00:00Z");
  static final String API_KEY = "sk-canary-0123456789";

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

  private static TestProvider make(
      RawServer server, String base, Map<String, Secret> headers, Map<String, Secret> query) {
    EgressSettings settings =
        new EgressSettings(
            Duration.ofMillis(500), Duration.ofMillis(300), DataSize.ofMegabytes(32), null, null);
    return new TestProvider(
        server,
        settings,
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

  Route route(String model) {
    return providers.route(model);
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
    Route route = providers.route("openai/gpt-5-mini");
    return route
        .provider()
        .ask(
            new TurnRequest(route.model(), dialogue, Body.utf8(params), timeout),
            new OutboundCall());
  }

  @Override
  public void close() throws IOException {
    egress.close();
    server.close();
  }
}
