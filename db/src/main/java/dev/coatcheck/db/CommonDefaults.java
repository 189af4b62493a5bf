package dev.coatcheck.db;

import java.util.Map;

/** What every process of ours starts from; any property source overrules it. */
public final class CommonDefaults {
  private CommonDefaults() {}

  public static Map<String, Object> properties() {
    return Map.ofEntries(
        Map.entry("spring.main.banner-mode", "off"),
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
