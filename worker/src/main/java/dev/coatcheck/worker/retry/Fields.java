package dev.coatcheck.worker.retry;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Header fields by lower-case name: a response's, or those that a body quotes. */
record Fields(Map<String, List<String>> values) {
  static final Fields NONE = new Fields(Map.of());

  Fields {
    Map<String, List<String>> copy = new HashMap<>();
    values.forEach((name, all) -> copy.put(name.toLowerCase(Locale.ROOT), List.copyOf(all)));
    values = Map.copyOf(copy);
  }

  List<String> all(String name) {
    return values.getOrDefault(name, List.of());
  }

  boolean says(String name, String value) {
    return all(name).stream().anyMatch(one -> one.strip().equalsIgnoreCase(value));
  }

  Set<String> names() {
    return values.keySet();
  }
}
