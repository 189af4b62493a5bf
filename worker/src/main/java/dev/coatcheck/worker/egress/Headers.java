package dev.coatcheck.worker.egress;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The header fields of a response, by lower-case name. */
public record Headers(Map<String, List<String>> fields) {
  public static final Headers NONE = new Headers(Map.of());

  public Headers {
    Map<String, List<String>> copy = new TreeMap<>();
    fields.forEach((name, values) -> copy.put(name.toLowerCase(Locale.ROOT), List.copyOf(values)));
    fields = Map.copyOf(copy);
  }

  public Optional<String> first(String name) {
    List<String> values = fields.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    return values.isEmpty() ? Optional.empty() : Optional.of(values.getFirst());
  }

  /** Never the values: they belong to the exchange. */
  @Override
  public String toString() {
    return "Headers" + fields.keySet();
  }
}
