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
    /** The same, from within, where a worker has come to a named point. */
    KILL_AT_CHECKPOINT,
    KILL_APP_AT_CHECKPOINT,
    /** Frozen for longer than its lease, while another takes over; then it goes on. */
    PAUSE_WORKER,
    /** The same, by itself, at a named point. */
    PAUSE_AT_CHECKPOINT,
    /** Every worker in turn is asked to stop, and started again. */
    ROLLING_RESTART,
    /** A worker's own clock jumps by minutes to a day. */
    JUMP_CLOCK,
    /** Every session of ours is ended by the database. */
    END_SESSIONS,
    /** A worker's way to the database carries nothing, both ways. */
    PARTITION_WORKER,
    /** A worker's way to the database carries nothing, one way. */
    CUT_ONE_WAY,
    /** A worker's way to the database takes half a second and carries 20 KB/s. */
    SLOW_WORKER,
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
      return switch (this) {
        case KILL_WORKER, KILL_APP, KILL_AT_CHECKPOINT, KILL_APP_AT_CHECKPOINT -> true;
        case PAUSE_WORKER,
            PAUSE_AT_CHECKPOINT,
            ROLLING_RESTART,
            JUMP_CLOCK,
            END_SESSIONS,
            PARTITION_WORKER,
            CUT_ONE_WAY,
            SLOW_WORKER,
            LOSE_DATABASE_ANSWERS,
            CUT_DATABASE,
            LOSE_ANSWERS,
            RESTART_DATABASE,
            CRASH_DATABASE,
            EMPTY_DISPATCHES ->
            false;
      };
    }
  }

  @Override
  public String toString() {
    return "%s %d for %d ms".formatted(kind, target, lasts.toMillis());
  }
}
