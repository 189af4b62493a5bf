package dev.coatcheck.chaos.simulation;

import java.time.Duration;

/**
 * What the simulated provider does about one call.
 *
 * @param status of the response, if there is one
 * @param after how long that takes
 */
record Reply(Kind kind, int status, Duration after, String body, String retryAfter) {
  enum Kind {
    /** A whole answer, which is billed. */
    ANSWER,
    /** An error, at once or later. */
    REFUSE,
    /** The request is received, and the connection breaks. */
    LOSE,
    /** No connection is to be had. */
    UNREACHABLE
  }

  static Reply answer(String body, Duration after) {
    return new Reply(Kind.ANSWER, 200, after, body, "");
  }

  static Reply rateLimited(Duration retryAfter) {
    return new Reply(
        Kind.REFUSE,
        429,
        Duration.ofMillis(50),
        "{\"error\":{\"message\":\"slow down\",\"code\":\"rate_limit_exceeded\"}}",
        Long.toString(retryAfter.toSeconds()));
  }

  static Reply invalid() {
    return new Reply(
        Kind.REFUSE,
        400,
        Duration.ofMillis(50),
        "{\"error\":{\"message\":\"no\",\"type\":\"invalid_request_error\"}}",
        "");
  }

  /** Whoever says so may have done it. */
  static Reply unavailable() {
    return new Reply(Kind.REFUSE, 503, Duration.ofMillis(50), "{}", "");
  }

  static Reply lost(Duration after) {
    return new Reply(Kind.LOSE, 0, after, "", "");
  }

  static Reply unreachable() {
    return new Reply(Kind.UNREACHABLE, 0, Duration.ofMillis(5), "", "");
  }
}
