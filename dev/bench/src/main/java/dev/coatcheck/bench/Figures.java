package dev.coatcheck.bench;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The figures of one scenario over its runs, in the order they were first added. */
final class Figures {
  private final Map<Figure, Samples> values = new LinkedHashMap<>();

  void add(Figure figure, double value) {
    values.computeIfAbsent(figure, f -> new Samples()).add(value);
  }

  List<String> lines() {
    return values.entrySet().stream().map(one -> one.getKey().line(one.getValue())).toList();
  }
}
