package dev.coatcheck.simulator;

import java.util.Locale;
import java.util.Set;

/** Writes an entry of the ledger as JSON. Credentials are measured, not shown. */
final class LedgerJson {
  private static final Set<String> SECRETS =
      Set.of("authorization", "x-api-key", "api-key", "x-goog-api-key", "cookie");

  private LedgerJson() {}

  static void into(StringBuilder out, LedgerEntry entry) {
    var request = entry.request();
    out.append("{\"number\":").append(request.number());
    out.append(",\"connection\":").append(request.connection());
    out.append(",\"arrived_at\":\"").append(request.arrivedAt());
    out.append("\",\"ending\":\"").append(entry.ending().name().toLowerCase(Locale.ROOT));
    out.append("\",\"method\":\"").append(request.method()).append("\",\"target\":");
    Quote.into(out, request.head().target()).append(",\"headers\":[");
    var separator = "";
    for (var line : request.headers().lines()) {
      out.append(separator).append('[');
      Quote.into(out, line.name()).append(',');
      Quote.into(out, shown(line)).append(']');
      separator = ",";
    }
    out.append("],\"prompt\":");
    Quote.into(out, request.prompt()).append(",\"body_bytes\":").append(request.bodyBytes());
    out.append(",\"prompt_tokens\":")
        .append(request.payload().chat().map(ChatRequest::promptTokens).orElse(0));
    out.append(",\"body\":");
    Quote.into(out, request.body().text()).append('}');
  }

  private static String shown(Header line) {
    return SECRETS.contains(line.name().toLowerCase(Locale.ROOT))
        ? "(" + line.value().length() + " characters)"
        : line.value();
  }
}
