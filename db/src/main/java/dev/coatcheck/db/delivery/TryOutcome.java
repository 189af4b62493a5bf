package dev.coatcheck.db.delivery;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What came of one try. */
public sealed interface TryOutcome {
  /** The endpoint took it. */
  record Delivered(int httpStatus) implements TryOutcome {}

  /**
   * The endpoint did not, and is tried again.
   *
   * @param httpStatus none if it did not answer
   * @param error for people
   */
  record Failed(@Nullable Integer httpStatus, String error, Duration pause) implements TryOutcome {}

  /** It is not tried again. */
  record Dead(@Nullable Integer httpStatus, String error) implements TryOutcome {}

  /** This process stops: another may try at once, and nothing is counted. */
  record Released(String error) implements TryOutcome {}
}
