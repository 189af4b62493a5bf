package dev.coatcheck.chaos;

import java.time.Duration;

/**
 * One thing that the nemesis does.
 *
 * @param target which of those it may hit; it takes the next one that can be hit
 * @param lasts until it is undone
 * @param rest until the next fault is due
 */
record Fault(Kind kind, int target, Duration lasts, Duration rest) {
  enum Kind {
    /** {@code kill -9}, and a start anew. */
    KILL_WORKER,
    KILL_APP,
    /** Frozen for longer than its lease, while another takes over; then it goes on. */
    PAUSE_WORKER,
    /** Every session of ours is ended by the database. */
    END_SESSIONS,
    /** A worker's way to the database carries nothing, both ways. */
    PARTITION_WORKER,
    /** What the database answers an app gets lost, commits included. */
    LOSE_DATABASE_ANSWERS,
    /** The database is unreachable for everybody. */
    CUT_DATABASE,
    /** What an app answers its callers gets lost. */
    LOSE_ANSWERS,
    /** The database is stopped and started. */
    RESTART_DATABASE,
    /** Every process of the database is killed, and it is started. */
    CRASH_DATABASE,
    /** JobRunr's table of jobs is emptied. */
    EMPTY_DISPATCHES;

    boolean isKill() {
      return this == KILL_WORKER || this == KILL_APP;
    }
  }

  @Override
  public String toString() {
    return "%s %d for %d ms".formatted(kind, target, lasts.toMillis());
  }
}
