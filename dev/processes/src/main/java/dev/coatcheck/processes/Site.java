package dev.coatcheck.processes;

import java.util.List;
import java.util.Map;

/**
 * Where one process runs and what is particular to it.
 *
 * @param name its log's, without the ending
 * @param jdbcUrl of its database
 * @param jvm further arguments of its JVM
 * @param properties Spring's, beside those of all
 */
public record Site(String name, String jdbcUrl, List<String> jvm, Map<String, String> properties) {
  public Site {
    jvm = List.copyOf(jvm);
    properties = Map.copyOf(properties);
  }

  static Site of(String name, String jdbcUrl) {
    return new Site(name, jdbcUrl, List.of(), Map.of());
  }
}
