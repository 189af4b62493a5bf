package dev.coatcheck.db.event;

import java.util.Locale;

/** What an event says has happened. An end is {@code job.} and the status, and always the last. */
public enum EventType {
  /** The job waits for a worker: accepted, released, or given back by a lost worker. */
  JOB_QUEUED,
  /** A worker runs it. */
  JOB_IN_PROGRESS,
  /** It waits for a time, in the queue or in place. */
  JOB_WAITING,
  /** It waits for a person or for the caller's tool. */
  JOB_REQUIRES_ACTION,
  /** A request to the provider is about to be sent. */
  ATTEMPT_STARTED,
  /** It is over, whatever came of it. */
  ATTEMPT_ENDED,
  /** What was streamed so far is void from a number on; the turn is asked again. */
  ATTEMPT_RESTARTED,
  /** A piece of what the model says. The one event that carries content. */
  OUTPUT_DELTA,
  /** A tool runs. */
  TOOL_STARTED,
  /** It is over, whatever came of it. */
  TOOL_ENDED,
  JOB_COMPLETED,
  JOB_INCOMPLETE,
  JOB_FAILED,
  JOB_CANCELLED,
  JOB_EXPIRED;

  /** The name in the API and in the database. */
  public String text() {
    String name = name().toLowerCase(Locale.ROOT);
    int family = name.indexOf('_');
    return name.substring(0, family) + "." + name.substring(family + 1);
  }
}
