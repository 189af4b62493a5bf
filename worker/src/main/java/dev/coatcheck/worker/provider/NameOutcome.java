package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.EgressResult.Loss;
import dev.coatcheck.worker.egress.EgressResult.Unsent;
import dev.coatcheck.worker.egress.SafeText;
import dev.coatcheck.worker.retry.AskAgain;
import dev.coatcheck.worker.retry.AttemptState;
import dev.coatcheck.worker.retry.Billed;
import dev.coatcheck.worker.retry.Classify;
import dev.coatcheck.worker.retry.ErrorCode;
import dev.coatcheck.worker.retry.Failure;
import dev.coatcheck.worker.retry.Failure.Upstream;
import dev.coatcheck.worker.retry.Reply;
import dev.coatcheck.worker.retry.Verdict;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Turns what went wrong into a {@link Failure}, in words that hold no secret. */
final class NameOutcome {
  private static final int MAX_CODE = 200;
  private static final int MAX_EXCERPT = 300;
  private static final List<String> REQUEST_IDS =
      List.of("x-request-id", "request-id", "apim-request-id", "x-amzn-requestid", "cf-ray");

  private final SafeText safe;
  private final InstantSource clock;

  NameOutcome(SafeText safe, InstantSource clock) {
    this.safe = safe;
    this.clock = clock;
  }

  Failure unreachable(String provider, Unsent cause) {
    return new Failure(
        ErrorCode.PROVIDER_UNREACHABLE,
        AttemptState.UNREACHABLE,
        Billed.NO,
        AskAgain.ALWAYS,
        null,
        new Upstream(provider, null, null, null),
        provider + " could not be reached: " + cause.words());
  }

  /** Nothing was sent, and nothing would be gained by trying. */
  Failure untranslatable(String provider, String what) {
    return new Failure(
        ErrorCode.INVALID_REQUEST,
        AttemptState.UNREACHABLE,
        Billed.NO,
        AskAgain.NEVER,
        null,
        new Upstream(provider, null, null, null),
        safe.of(what, Failure.MAX_MESSAGE));
  }

  /** A stream that came to an end of its own, but not to the answer's. */
  Failure interrupted(Received head) {
    return broken(head, ErrorCode.STREAM_INTERRUPTED, "its stream ended before the answer did");
  }

  /** A stream that something ended. */
  Failure interrupted(Received head, Loss cause) {
    ErrorCode code =
        switch (cause) {
          case TIMEOUT, IDLE -> ErrorCode.PROVIDER_TIMEOUT;
          case CONNECTION, GARBLED -> ErrorCode.STREAM_INTERRUPTED;
          case TOO_LARGE -> ErrorCode.INVALID_RESPONSE;
        };
    return broken(head, code, cause.words());
  }

  private Failure broken(Received head, ErrorCode code, String what) {
    return new Failure(
        code,
        AttemptState.INDETERMINATE,
        Billed.UNKNOWN,
        code.askAgain(),
        null,
        upstream(head, null),
        head.provider() + " began to answer: " + what);
  }

  Failure indeterminate(String provider, @Nullable Received head, Loss cause) {
    ErrorCode code = code(cause);
    return new Failure(
        code,
        AttemptState.INDETERMINATE,
        Billed.UNKNOWN,
        code.askAgain(),
        null,
        head == null ? new Upstream(provider, null, null, null) : upstream(head, null),
        provider + " may have been reached: " + cause.words());
  }

  private static ErrorCode code(Loss cause) {
    return switch (cause) {
      case TIMEOUT, IDLE -> ErrorCode.PROVIDER_TIMEOUT;
      case CONNECTION, GARBLED -> ErrorCode.PROVIDER_ERROR;
      case TOO_LARGE -> ErrorCode.INVALID_RESPONSE;
    };
  }

  /** An HTTP error, or a 2xx without a body. */
  Failure refused(Received received) {
    Json json = received.json();
    Verdict verdict = Classify.of(reply(received, json == null ? null : json.tree()));
    String words = verdict.words().isEmpty() && json == null ? excerpt(received) : verdict.words();
    return failure(received, verdict, words);
  }

  Failure embedded(Received received, JsonNode body) {
    Verdict verdict = Classify.of(reply(received, body));
    return failure(received, verdict, verdict.words());
  }

  Failure unusable(Received received, String words) {
    return failure(received, Classify.unusable(reply(received, null), words), words);
  }

  Failure blocked(Received received, String words) {
    Verdict verdict = new Verdict(ErrorCode.CONTENT_FILTERED, AskAgain.NEVER, null, null, words);
    return failure(received, verdict, words);
  }

  private Reply reply(Received received, @Nullable JsonNode body) {
    return new Reply(received.status(), received.headers().fields(), body, clock.instant());
  }

  private Failure failure(Received received, Verdict verdict, String words) {
    return new Failure(
        verdict.code(),
        AttemptState.REFUSED,
        received.isSuccess() ? Billed.UNKNOWN : Billed.NO,
        verdict.askAgain(),
        verdict.serverWait(),
        upstream(received, verdict.providerCode()),
        message(received, verdict, words));
  }

  private Upstream upstream(Received received, @Nullable String code) {
    return new Upstream(
        received.provider(),
        received.status(),
        code == null ? null : safe.of(code, MAX_CODE),
        requestId(received));
  }

  private String message(Received received, Verdict verdict, String words) {
    String start = received.provider() + " answered " + received.status();
    if (isAboutCredential(received, verdict)) {
      return start + ": it refuses the credential or what it may do";
    }
    String code = verdict.providerCode() == null ? "" : " (" + verdict.providerCode() + ")";
    String text = words.isBlank() ? "" : ": " + words;
    return safe.of(start + code + text, Failure.MAX_MESSAGE);
  }

  /** Providers quote the credential there, so the words are ours. */
  private static boolean isAboutCredential(Received received, Verdict verdict) {
    return verdict.code() == ErrorCode.PROVIDER_AUTH
        || received.status() == 401
        || received.status() == 403;
  }

  /** A proxy's own words, but not its markup. */
  private static String excerpt(Received received) {
    String text = received.body().slice(0, Math.min(MAX_EXCERPT, received.body().length())).text();
    return text.stripLeading().startsWith("<") ? "" : text;
  }

  @Nullable String requestId(Received received) {
    return REQUEST_IDS.stream()
        .map(received.headers()::first)
        .flatMap(Optional::stream)
        .map(id -> safe.of(id, MAX_CODE))
        .filter(id -> !id.isEmpty())
        .findFirst()
        .orElse(null);
  }
}
