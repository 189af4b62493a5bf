package dev.coatcheck.worker;

import java.util.Map;

/** What a process with a worker in it starts from; any property source overrules it. */
public final class WorkerDefaults {
  private WorkerDefaults() {}

  /** Of the engine, wherever it runs. */
  public static Map<String, Object> engine() {
    return Map.of(
        "jobrunr.background-job-server.enabled", "true",
        "jobrunr.background-job-server.poll-interval-in-seconds", "5",
        "jobrunr.background-job-server.interrupt-jobs-await-duration-on-stop", "2s",
        // A run's end is logged where it ends; JobRunr would log each failed job as an error.
        "logging.level.org.jobrunr.server.BackgroundJobPerformer", "off");
  }

  /** Of the worker as a process of its own. */
  static Map<String, Object> process() {
    return Map.of(
        "spring.application.name", "coatcheck-worker",
        "server.port", "8081",
        "jobrunr.dashboard.enabled", "false");
  }
}
