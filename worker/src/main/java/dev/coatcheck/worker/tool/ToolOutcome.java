package dev.coatcheck.worker.tool;

import dev.coatcheck.db.call.CallResult;
import dev.coatcheck.worker.egress.EgressResult.Reach;
import dev.coatcheck.worker.retry.ServerWait;
import org.jspecify.annotations.Nullable;

/** How one sending of a tool came out. Words are masked and bounded. */
sealed interface ToolOutcome {
  /** It did what was asked. */
  record Answered(CallResult result) implements ToolOutcome {}

  /** It says what is wrong; asking again would not change that. */
  record Told(String error) implements ToolOutcome {}

  /** Nothing was sent. */
  record NotSent(String why) implements ToolOutcome {}

  /**
   * It answered, and not whether it did it.
   *
   * @param asked the wait that it asks for
   */
  record Refused(int status, String why, @Nullable ServerWait asked) implements ToolOutcome {}

  /** Sent, or perhaps sent, and no whole reply. */
  record Lost(String why) implements ToolOutcome {}

  /** We gave it up ourselves. */
  record Aborted(Reach reach) implements ToolOutcome {}

  /** For metrics. */
  default String name() {
    return switch (this) {
      case Answered _ -> "answered";
      case Told _ -> "told";
      case NotSent _ -> "not_sent";
      case Refused _ -> "refused";
      case Lost _ -> "lost";
      case Aborted _ -> "aborted";
    };
  }
}
