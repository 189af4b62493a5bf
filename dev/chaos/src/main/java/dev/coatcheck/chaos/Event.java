package dev.coatcheck.chaos;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One request of a caller and its answer.
 *
 * @param server the app it was sent to
 * @param start by {@link System#nanoTime}
 * @param end by {@link System#nanoTime}
 * @param status 0: no answer came
 * @param seen the job, if the answer showed one
 */
record Event(
    Kind kind, String key, String server, long start, long end, int status, @Nullable Seen seen) {
  enum Kind {
    SUBMIT,
    OTHER_BODY,
    POLL,
    CANCEL,
    RESOLVE,
    STRANGER
  }

  /**
   * A job as its resource showed it.
   *
   * @param outcome everything that must not change after its end
   */
  record Seen(String id, String status, String outcome) {
    boolean needsSomebody() {
      return status.equals("requires_action");
    }

    boolean isEnded() {
      return switch (status) {
        case "queued", "in_progress", "requires_action" -> false;
        default -> true;
      };
    }
  }

  Duration took() {
    return Duration.ofNanos(end - start);
  }

  Optional<Seen> job() {
    return Optional.ofNullable(seen);
  }

  boolean isAccepted() {
    return kind == Kind.SUBMIT && (status == 202 || status == 200);
  }

  @Override
  public String toString() {
    return "%s %s at %s: %d after %d ms, %s"
        .formatted(kind, key, server, status, took().toMillis(), seen);
  }
}
