package dev.coatcheck.worker.deliver;

import dev.coatcheck.db.delivery.TryOutcome;
import dev.coatcheck.worker.egress.EgressResult;
import dev.coatcheck.worker.egress.EgressResult.Head;
import dev.coatcheck.worker.egress.EgressResult.Loss;
import dev.coatcheck.worker.egress.Headers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says what came of a try: 2xx is taken, 410 is the end, anything else is tried again. The status
 * alone counts: an endpoint that has told it has decided, whatever becomes of the rest.
 */
final class JudgeReply {
  private static final int GONE = 410;
  private static final int HUNDREDS = 100;

  private final Schedule schedule;
  private final InstantSource clock;

  JudgeReply(Schedule schedule, InstantSource clock) {
    this.schedule = schedule;
    this.clock = clock;
  }

  /**
   * @param failures of the delivery before this try
   */
  TryOutcome judge(EgressResult result, int failures) {
    return switch (result) {
      case EgressResult.Response response ->
          answered(response.status(), response.headers(), failures);
      case EgressResult.Lost(Loss _, Head head, Duration _) when head != null ->
          answered(head.status(), head.headers(), failures);
      case EgressResult.Lost(Loss cause, Head _, Duration _) ->
          unanswered(
              cause == Loss.TIMEOUT ? "no whole answer within 15 s" : cause.words(), failures);
      case EgressResult.NotSent notSent -> unanswered(notSent.cause().words(), failures);
      case EgressResult.Aborted aborted -> new TryOutcome.Released("the worker stopped");
    };
  }

  /** A try that could not be made, or was not answered. */
  TryOutcome unanswered(String error, int failures) {
    return failed(null, error, new Asked(failures, Optional.empty()));
  }

  private TryOutcome answered(int status, Headers headers, int failures) {
    if (status / HUNDREDS == 2) {
      return new TryOutcome.Delivered(status);
    }
    if (status == GONE) {
      return new TryOutcome.Dead(status, "the endpoint is gone");
    }
    String error =
        status / HUNDREDS == 3
            ? "the endpoint answered " + status + ", and redirects are not followed"
            : "the endpoint answered " + status;
    return failed(status, error, new Asked(failures, ReadRetryAfter.of(headers, clock.instant())));
  }

  private TryOutcome failed(@Nullable Integer status, String error, Asked asked) {
    return schedule
        .after(asked.failures, asked.pause)
        .<TryOutcome>map(pause -> new TryOutcome.Failed(status, error, pause))
        .orElseGet(() -> new TryOutcome.Dead(status, error));
  }

  private record Asked(int failures, Optional<Duration> pause) {}
}
