package dev.coatcheck.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLDecoder;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/**
 * The ledger over HTTP, for other processes. {@code GET} reads it: {@code contains=MARKER} for the
 * requests whose prompt or body has it, {@code await=3&timeout=10s} to wait until there are so
 * many, {@code limit=100} for the newest. {@code DELETE} clears it. Neither is in the ledger
 * itself.
 */
final class LedgerPage {
  static final String PATH = "/__ledger";
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);
  private static final int DEFAULT_LIMIT = 1000;

  private final Ledger ledger;

  LedgerPage(Ledger ledger) {
    this.ledger = ledger;
  }

  Reply answer(RequestHead head) {
    try {
      return switch (head.method()) {
        case "GET" -> read(head.query());
        case "DELETE" -> clear();
        default ->
            OpenAiErrors.of(405, "invalid_request_error", "GET or DELETE")
                .with("allow", "GET, DELETE");
      };
    } catch (IllegalArgumentException unreadable) {
      return OpenAiErrors.of(400, "invalid_request_error", String.valueOf(unreadable.getMessage()));
    }
  }

  private Reply clear() {
    ledger.clear();
    return new Reply(204, Headers.NONE, Body.EMPTY, Framing.LENGTH);
  }

  private Reply read(String query) {
    var marker = parameter(query, "contains", "");
    Predicate<LedgerEntry> which =
        entry ->
            marker.isEmpty()
                || entry.prompt().contains(marker)
                || entry.request().body().text().contains(marker);
    int count = Integer.parseInt(parameter(query, "await", "0"));
    var timeout = Span.parse(parameter(query, "timeout", "10s"));
    if (count > 0) {
      ledger.reaches(which, count, timeout.compareTo(MAX_TIMEOUT) > 0 ? MAX_TIMEOUT : timeout);
    }
    var entries = ledger.entries(which);
    int limit = Integer.parseInt(parameter(query, "limit", "" + DEFAULT_LIMIT));
    return Reply.json(200, json(entries, Math.clamp(limit, 0, entries.size())));
  }

  private static String parameter(String query, String name, String otherwise) {
    for (var pair : query.split("&", -1)) {
      if (pair.startsWith(name + "=")) {
        return URLDecoder.decode(pair.substring(name.length() + 1), UTF_8);
      }
    }
    return otherwise;
  }

  private String json(List<LedgerEntry> entries, int limit) {
    var counts = ledger.counts();
    var out = new StringBuilder(1024);
    out.append("{\"counts\":{\"received\":").append(counts.received());
    out.append(",\"whole\":").append(counts.whole());
    out.append(",\"broken_off\":").append(counts.brokenOff());
    out.append(",\"caller_left\":").append(counts.callerLeft());
    out.append(",\"refused\":").append(counts.refused());
    out.append(",\"open\":").append(counts.open());
    out.append(",\"peak_open\":").append(counts.peakOpen());
    out.append("},\"matching\":").append(entries.size()).append(",\"entries\":[");
    var separator = "";
    for (var entry : entries.subList(entries.size() - limit, entries.size())) {
      LedgerJson.into(out.append(separator), entry);
      separator = ",";
    }
    return out.append("]}").toString();
  }
}
