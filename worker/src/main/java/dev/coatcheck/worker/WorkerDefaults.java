package dev.coatcheck.worker;

import java.util.Map;

/** What a process with a worker in it starts from; any property source overrules it. */
public final class WorkerDefaults {
  private WorkerDefaults() {}

  /** Of the engine, wherever it runs. */
  public static Map<String, Object> engine() {
    return Map.ofEntries(
        Map.entry("jobrunr.background-job-server.enabled", "true"),
        Map.entry("jobrunr.background-job-server.poll-interval-in-seconds", "5"),
        Map.entry("jobrunr.background-job-server.interrupt-jobs-await-duration-on-stop", "2s"),
        // A run's end is logged where it ends; JobRunr would log each failed job as an error.
        Map.entry("logging.level.org.jobrunr.server.BackgroundJobPerformer", "off"),
        Map.entry("coatcheck.retry.initial", "500ms"),
        Map.entry("coatcheck.retry.factor", "2"),
        Map.entry("coatcheck.retry.max", "8s"),
        Map.entry("coatcheck.retry.jitter", "0.2"),
        Map.entry("coatcheck.retry.floor", "100ms"),
        Map.entry("coatcheck.retry.hold", "2s"));
  }

  /** Of the worker as a process of its own. */
  static Map<String, Object> process() {
    return Map.of(
        "spring.application.name", "coatcheck-worker",
        "server.port", "8081",
        "jobrunr.dashboard.enabled", "false");
  }
}
