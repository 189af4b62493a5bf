package dev.coatcheck.worker.deliver;

import java.time.Duration;
import org.springframework.util.unit.DataSize;

/** This room's limits. */
final class Limits {
  /** Tries of a worker under way at once, and its connections to endpoints. */
  static final int AT_ONCE = 200;

  /** One try, from the name look-up to the last byte of the answer. */
  static final Duration TRY = Duration.ofSeconds(15);

  /** A try that lasts longer, its writing down included, counts as lost with its worker. */
  static final Duration LEASE = Duration.ofSeconds(45);

  /** Read of an answer; what comes after is not looked at. */
  static final DataSize RESPONSE = DataSize.ofKilobytes(64);

  /** The longest pause that an endpoint may ask for. */
  static final Duration LONGEST_PAUSE = Duration.ofHours(24);

  private Limits() {}
}
