package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Secret;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code coatcheck.providers.<name>}. {@link ProvidersSettings} checks it, since it knows the name.
 *
 * @param dialect how the provider is spoken to
 * @param baseUrl the part before {@code /chat/completions}, or before {@code /v1/messages}
 * @param apiKey sent as a bearer token or as {@code x-api-key}, as the dialect has it; none for a
 *     provider that needs none
 * @param headers sent with every call; their values may be secrets
 * @param query added to every call's URL; its values may be secrets
 * @param maxConcurrency calls open at once in this worker; 0 is no limit
 * @param maxTokens for dialects that must name a limit: the one when the caller names none
 */
public record ProviderSettings(
    @DefaultValue("openai") String dialect,
    @DefaultValue("") String baseUrl,
    @DefaultValue("") Secret apiKey,
    @DefaultValue Map<String, Secret> headers,
    @DefaultValue Map<String, Secret> query,
    @DefaultValue("0") int maxConcurrency,
    @Nullable Integer maxTokens) {
  public ProviderSettings {
    headers = Map.copyOf(headers);
    query = Map.copyOf(query);
  }
}
