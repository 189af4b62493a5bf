package dev.coatcheck.simulator;

import java.util.LinkedHashMap;
import java.util.Map;

/** Counts how often each of many keys came, and forgets those that were away longest. */
final class CountPerKey {
  private static final int MAX_KEYS = 100_000;

  private final Map<String, Integer> counts =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
          return size() > MAX_KEYS;
        }
      };

  /** One for the first time. */
  synchronized int next(String key) {
    return counts.merge(key, 1, Integer::sum);
  }

  synchronized void clear() {
    counts.clear();
  }
}
