package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Header;
import dev.coatcheck.worker.egress.Secret;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code coatcheck.providers} and {@code coatcheck.default-provider}. A fault is one sentence that
 * names the property.
 */
@ConfigurationProperties("coatcheck")
public record ProvidersSettings(
    @DefaultValue("openai") String defaultProvider,
    @DefaultValue Map<String, ProviderSettings> providers) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
  private static final Set<String> OURS =
      Set.of(
          "host",
          "content-length",
          "content-type",
          "content-encoding",
          "transfer-encoding",
          "connection",
          "accept",
          "accept-encoding",
          "upgrade",
          "expect",
          "user-agent");
  private static final int MAX_CONCURRENCY = 1_000_000;

  public ProvidersSettings {
    providers = Map.copyOf(providers);
    providers.forEach(ProvidersSettings::check);
    check(
        providers.containsKey(defaultProvider),
        "coatcheck.default-provider names a provider that coatcheck.providers does not have.");
  }

  private static void check(String name, ProviderSettings settings) {
    check(
        NAME.matcher(name).matches(),
        "coatcheck.providers has a name that is not 1 to 64 letters, digits, dots, hyphens and underscores.");
    String path = "coatcheck.providers." + name;
    check(
        Dialect.named(settings.dialect()).isPresent(),
        path + ".dialect must be one of " + Dialect.names() + ".");
    check(
        isBaseUrl(settings.baseUrl()),
        path + ".base-url must be an http or https URL without user, query and fragment.");
    check(
        Header.isLawful("Authorization", settings.apiKey().reveal()),
        path + ".api-key must be visible ASCII.");
    check(
        settings.maxConcurrency() >= 0 && settings.maxConcurrency() <= MAX_CONCURRENCY,
        path + ".max-concurrency must be in 0 to 1000000.");
    check(
        settings.maxTokens() == null || settings.maxTokens() > 0,
        path + ".max-tokens must be positive.");
    settings.headers().forEach((header, value) -> checkHeader(path, settings, header, value));
  }

  private static void checkHeader(
      String path, ProviderSettings settings, String header, Secret value) {
    String lower = header.toLowerCase(Locale.ROOT);
    check(
        Header.isLawful(header, value.reveal()),
        path + ".headers must be header names with values in visible ASCII.");
    check(
        !OURS.contains(lower), path + ".headers may not set " + lower + ", which Coatcheck sets.");
    check(
        !(lower.equals("authorization") || lower.equals("x-api-key"))
            || !settings.apiKey().isPresent(),
        path + ".headers may not set " + lower + " beside api-key.");
  }

  private static boolean isBaseUrl(String url) {
    try {
      URI uri = new URI(url);
      return uri.getHost() != null
          && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static void check(boolean holds, String sentence) {
    if (!holds) {
      throw new IllegalArgumentException(sentence);
    }
  }
}
