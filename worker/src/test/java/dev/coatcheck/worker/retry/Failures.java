package dev.coatcheck.worker.retry;

import dev.coatcheck.worker.retry.Failure.Upstream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Failures for tests of what is decided about them. */
final class Failures {
  private Failures() {}

  static Failure of(ErrorCode code) {
    return of(code, code.askAgain(), null);
  }

  static Failure asking(Duration wait) {
    return of(ErrorCode.RATE_LIMITED, AskAgain.ALWAYS, new ServerWait(wait, "Retry-After"));
  }

  static Failure of(ErrorCode code, AskAgain askAgain, @Nullable ServerWait wait) {
    return new Failure(
        code,
        AttemptState.REFUSED,
        Billed.NO,
        askAgain,
        wait,
        new Upstream("openai", 429, "some_code", "req_1"),
        "openai answered 429 (some_code): slow down");
  }

  /** So many earlier attempts, each ended by a plain server error. */
  static History after(int attempts) {
    return new History(
        java.util.stream.Stream.generate(() -> new Past(ErrorCode.PROVIDER_ERROR, null))
            .limit(attempts)
            .toList());
  }
}
