package dev.coatcheck.app;

import java.util.Map;

/** What a process with a web tier in it starts from; any property source overrules it. */
public final class AppDefaults {
  private AppDefaults() {}

  /** Of the web tier, wherever it runs. */
  public static Map<String, Object> web() {
    return Map.of(
        // Each unknown path would be a warning, with the path in it.
        "logging.level.org.springframework.web.servlet.PageNotFound", "error",
        "logging.level.org.apache.coyote.http11", "warn");
  }
}
