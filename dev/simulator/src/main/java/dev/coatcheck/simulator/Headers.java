package dev.coatcheck.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Header lines in their order. Names are compared without regard to case. */
public record Headers(List<Header> lines) {
  static final Headers NONE = new Headers(List.of());

  public Headers {
    lines = List.copyOf(lines);
  }

  public Optional<String> first(String name) {
    for (var line : lines) {
      if (line.name().equalsIgnoreCase(name)) {
        return Optional.of(line.value());
      }
    }
    return Optional.empty();
  }

  public List<String> all(String name) {
    return lines.stream()
        .filter(line -> line.name().equalsIgnoreCase(name))
        .map(Header::value)
        .toList();
  }

  public boolean has(String name) {
    return first(name).isPresent();
  }

  /** One line more, also where the name is there already. */
  Headers plus(Header line) {
    var more = new ArrayList<>(lines);
    more.add(line);
    return new Headers(more);
  }
}
