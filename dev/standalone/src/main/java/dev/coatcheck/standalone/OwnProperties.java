package dev.coatcheck.standalone;

import java.util.HashMap;
import java.util.Map;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/** Properties that this process finds out for itself; they beat what was configured. */
final class OwnProperties {
  private static final String SOURCE = "standalone";

  private OwnProperties() {}

  static void set(ConfigurableEnvironment environment, Map<String, Object> properties) {
    var all = new HashMap<String, Object>();
    if (environment.getPropertySources().get(SOURCE) instanceof MapPropertySource earlier) {
      all.putAll(earlier.getSource());
    }
    all.putAll(properties);
    environment.getPropertySources().addFirst(new MapPropertySource(SOURCE, all));
  }
}
