package dev.coatcheck.db;

import java.util.Map;

/** What every process of ours starts from; any property source overrules it. */
public final class CommonDefaults {
  /** Control characters and what turns the direction of text. */
  private static final String FORGING =
      "[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u2069\\ufeff]";

  private CommonDefaults() {}

  public static Map<String, Object> properties() {
    return Map.ofEntries(
        Map.entry("spring.main.banner-mode", "off"),
        // Boot's own pattern leaves the key-value fields out, and has no bounds.
        Map.entry(
            "logging.pattern.console",
            "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %5p [%15.15t] %-40.40logger{39} : "
                + "%.-8192replace(%replace(%m %kvp){'"
                + FORGING
                // A line of a text is indented, so that none looks like a line of the log.
                + "', '\uFFFD'}){'\\n', '\n    '}%n%.-32768replace(%wEx){'"
                + FORGING
                + "', '\uFFFD'}"),
        // An outage is told once, by what listens; not once a connection, with its trace and SQL.
        Map.entry("logging.level.com.zaxxer.hikari.pool.ProxyConnection", "error"),
        Map.entry("logging.level.com.zaxxer.hikari.pool.PoolBase", "error"),
        Map.entry(
            "logging.level.org.springframework.transaction.support.TransactionTemplate", "off"),
        // The providers that everybody knows; intake knows their names, the worker calls them.
        Map.entry("coatcheck.providers.openai.dialect", "openai"),
        Map.entry("coatcheck.providers.openai.base-url", "https://api.openai.com/v1"),
        Map.entry("coatcheck.providers.openai.api-key", "${OPENAI_API_KEY:}"),
        Map.entry("coatcheck.providers.anthropic.dialect", "anthropic"),
        Map.entry("coatcheck.providers.anthropic.base-url", "https://api.anthropic.com"),
        Map.entry("coatcheck.providers.anthropic.api-key", "${ANTHROPIC_API_KEY:}"),
        Map.entry("coatcheck.providers.ollama.dialect", "openai"),
        Map.entry("coatcheck.providers.ollama.base-url", "http://127.0.0.1:11434/v1"),
        Map.entry("spring.threads.virtual.enabled", "true"),
        Map.entry("jobrunr.database.skip-create", "true"),
        Map.entry("jobrunr.job-scheduler.enabled", "false"),
        Map.entry("jobrunr.miscellaneous.allow-anonymous-data-usage", "false"),
        Map.entry("management.endpoint.health.probes.enabled", "true"),
        Map.entry("management.endpoint.health.group.readiness.include", "readinessState,database"),
        Map.entry("management.endpoint.health.group.liveness.include", "livenessState"),
        Map.entry("management.health.jobrunr.enabled", "false"),
        Map.entry("management.health.db.enabled", "false"));
  }
}
