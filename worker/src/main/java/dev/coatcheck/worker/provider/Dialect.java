package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.EgressRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How a kind of provider is spoken to. Failures need no dialect: they are known by their shape. */
interface Dialect {
  Draft write(TurnRequest request);

  /** Reads a 2xx body. */
  Reading read(Json body);

  /** Puts a stream together to the body that {@link #read} reads. */
  Assembly assembly(TextListener listener);

  /** A request in the provider's words, if it can be said in them. */
  sealed interface Draft {
    record Sendable(EgressRequest request) implements Draft {}

    /**
     * The provider has no words for it.
     *
     * @param path of the member in the caller's request, {@code messages[0].content[1]}
     * @param why a clause that goes on from the path
     */
    record Untranslatable(String path, String why) implements Draft {}
  }

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
    return new TreeMap<>(Map.of("anthropic", AnthropicDialect::new, "openai", OpenAiDialect::new));
  }
}
