package dev.coatcheck.db.event;

/** What a notification is about. Each carries job ids; a lost one costs time, never a job. */
public enum Channel {
  /** A dispatch is ready to be picked up. Workers listen. */
  DISPATCHED,
  /** A job changed in a way that somebody may be waiting for. The web tier listens. */
  CHANGED,
  /** A job has new events, and nobody needs to look at the job itself. The web tier listens. */
  APPENDED,
  /** A job in progress was cancelled. The worker that runs it aborts its call. */
  CANCELLED;

  String sqlName() {
    return switch (this) {
      case DISPATCHED -> "coatcheck_dispatched";
      case CHANGED -> "coatcheck_changed";
      case APPENDED -> "coatcheck_appended";
      case CANCELLED -> "coatcheck_cancelled";
    };
  }
}
