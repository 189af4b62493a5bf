package dev.coatcheck.db.tool;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The configured tools, in the order of their file. */
public final class Tools {
  public static final Tools NONE = new Tools(List.of());

  private final Map<String, ToolDefinition> byName = new LinkedHashMap<>();

  public Tools(List<ToolDefinition> tools) {
    tools.forEach(tool -> byName.put(tool.name(), tool));
  }

  public Optional<ToolDefinition> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  public Collection<ToolDefinition> all() {
    return List.copyOf(byName.values());
  }
}
