package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.tool.ToolConfiguration;
import dev.coatcheck.db.tool.Tools;
import java.util.Map;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** One tool for each safety, named by it, read from a tools file as a worker reads its own. */
final class SimulatedTools {
  static final Tools ALL = read();

  private SimulatedTools() {}

  private static Tools read() {
    try (var context = new AnnotationConfigApplicationContext()) {
      Map<String, Object> settings =
          Map.of("coatcheck.tools-file", "classpath:dev/coatcheck/chaos/simulation/tools.json");
      context
          .getEnvironment()
          .getPropertySources()
          .addFirst(new MapPropertySource("simulation", settings));
      context.register(ToolConfiguration.class);
      context.refresh();
      return context.getBean(Tools.class);
    }
  }
}
