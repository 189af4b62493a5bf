package dev.coatcheck.db.tool;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** Where a tool call stands: {@code tool_calls[].state} of the API. */
public enum CallState {
  /** To be run by a worker. Set with the turn, by an approval, and by a wait between two sends. */
  PENDING,
  /** A person is to approve or deny it. Set with the turn. */
  AWAITING_APPROVAL,
  /** The caller is to run it. Set with the turn, and by an approval. */
  AWAITING_OUTPUT,
  /** A worker has claimed it, and may have sent it. */
  RUNNING,
  /** It has a result. */
  DONE,
  /** It has none, and the model is told why. */
  FAILED,
  /** A person refused it. */
  DENIED,
  /**
   * It was sent and nobody knows what came of it. A person is to resolve it, if the job is open.
   */
  IN_DOUBT,
  /** The job ended before it. */
  NOT_RUN;

  private static final Set<CallState> FINISHED = EnumSet.of(DONE, FAILED, DENIED, NOT_RUN);
  private static final Set<CallState> FOR_PEOPLE =
      EnumSet.of(AWAITING_APPROVAL, AWAITING_OUTPUT, IN_DOUBT);

  /** Whether there is something to tell the model. */
  public boolean isFinished() {
    return FINISHED.contains(this);
  }

  /** Whether a person or the caller is to act. */
  public boolean isForPeople() {
    return FOR_PEOPLE.contains(this);
  }

  /** The name in the API and in the database. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * @throws IllegalArgumentException for a name that is none of ours
   */
  public static CallState of(String text) {
    for (CallState state : values()) {
      if (state.text().equals(text)) {
        return state;
      }
    }
    throw new IllegalArgumentException("unknown state of a tool call");
  }
}
