package dev.coatcheck.worker.provider;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Where a provider's call goes: its base, a path, and the configured query. */
final class ProviderUri {
  private ProviderUri() {}

  static URI of(ProviderSettings settings, String path) {
    String base = settings.baseUrl();
    String stem = base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    String query =
        new TreeMap<>(settings.query())
            .entrySet().stream()
                .map(entry -> encode(entry.getKey()) + "=" + encode(entry.getValue().reveal()))
                .collect(Collectors.joining("&"));
    return URI.create(stem + path + (query.isEmpty() ? "" : "?" + query));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
