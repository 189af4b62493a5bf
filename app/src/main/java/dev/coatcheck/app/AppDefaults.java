package dev.coatcheck.app;

import java.util.Map;

/** What a process with a web tier in it starts from; any property source overrules it. */
public final class AppDefaults {
  private AppDefaults() {}

  /** Of the web tier, wherever it runs. */
  public static Map<String, Object> web() {
    return Map.ofEntries(
        // Each unknown path would be a warning, with the path in it.
        Map.entry("logging.level.org.springframework.web.servlet.PageNotFound", "error"),
        Map.entry("logging.level.org.apache.coyote.http11", "warn"),
        // These write keys, bodies, queries and bound values once the root's level is lowered.
        Map.entry("logging.level.org.apache.coyote", "info"),
        Map.entry("logging.level.org.apache.tomcat", "info"),
        Map.entry("logging.level.org.apache.catalina", "info"),
        Map.entry("logging.level.org.postgresql", "info"),
        Map.entry("logging.level.org.springframework.jdbc.core.StatementCreatorUtils", "info"),
        Map.entry("logging.level.org.springframework.web.servlet.DispatcherServlet", "info"));
  }
}
