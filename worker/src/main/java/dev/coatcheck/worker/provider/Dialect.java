package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.EgressRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How a kind of provider is spoken to. Failures need no dialect: they are known by their shape. */
interface Dialect {
  EgressRequest write(TurnRequest request);

  /** Reads a 2xx body. */
  Reading read(Json body);

  /** Makes a dialect for one provider. */
  interface Make {
    Dialect with(ProviderSettings settings);
  }

  static Optional<Make> named(String name) {
    return Optional.ofNullable(all().get(name));
  }

  static List<String> names() {
    return List.copyOf(all().keySet());
  }

  private static Map<String, Make> all() {
    return new TreeMap<>(Map.of("openai", OpenAiDialect::new));
  }
}
