package dev.coatcheck.worker.retry;

import dev.coatcheck.worker.retry.ErrorBody.Presence;
import dev.coatcheck.worker.retry.FailureTable.Row;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Says what a response that is no answer means, by {@link FailureTable} and a few sums. */
public final class Classify {
  private static final Pattern TRY_AGAIN = Pattern.compile("(?i)try again in");
  private static final Pattern LIMIT = Pattern.compile("\\bLimit:? (\\d{1,15})\\b");
  private static final Pattern REQUESTED = Pattern.compile("\\bRequested:? (\\d{1,15})\\b");
  private static final Pattern OVERLOADED = Pattern.compile("(?i)overloaded");

  private Classify() {}

  /** Whether a body that came with a 2xx holds an error instead of an answer. */
  public static boolean isError(JsonNode body) {
    return ReadErrorBody.isError(body);
  }

  public static Verdict of(Reply reply) {
    ErrorBody error = ReadErrorBody.read(reply.body());
    Finding found = withProvidersWord(find(reply, error), reply);
    ServerWait wait =
        found.askAgain() == AskAgain.NEVER
            ? null
            : ReadServerWait.read(reply, error, found.code()).orElse(null);
    return new Verdict(found.code(), found.askAgain(), providerCode(error), wait, error.message());
  }

  /** A 2xx that holds neither an answer nor an error: asked once more. */
  public static Verdict unusable(Reply reply, String words) {
    Finding found =
        withProvidersWord(new Finding(ErrorCode.INVALID_RESPONSE, AskAgain.ONCE, By.STATUS), reply);
    return new Verdict(found.code(), found.askAgain(), null, null, words);
  }

  private enum By {
    SIGN,
    STATUS
  }

  private record Finding(ErrorCode code, AskAgain askAgain, By by) {
    static Finding sign(ErrorCode code) {
      return new Finding(code, code.askAgain(), By.SIGN);
    }
  }

  private static Finding find(Reply reply, ErrorBody error) {
    Optional<Integer> status = effectiveStatus(reply, error);
    Optional<Finding> sign = sign(status.orElse(400), error);
    if (sign.isPresent()) {
      return sign.get();
    }
    if (status.isEmpty()) {
      return new Finding(ErrorCode.INVALID_RESPONSE, AskAgain.ONCE, By.STATUS);
    }
    return switch (status.get()) {
      case 402 -> paymentRequired(reply, error);
      case 429 -> rateLimited(error);
      case 503 -> unavailable(error);
      default -> byStatus(status.get());
    };
  }

  /** The HTTP status, or for a 2xx with an error the one that its code stands for. */
  private static Optional<Integer> effectiveStatus(Reply reply, ErrorBody error) {
    boolean hasEmbedded =
        reply.status() >= 200 && reply.status() <= 299 && error.present() == Presence.ERROR;
    if (!hasEmbedded) {
      return Optional.of(reply.status());
    }
    if (error.status() != null) {
      return Optional.of(error.status());
    }
    return error.codes().stream()
        .filter(FailureTable.EMBEDDED::containsKey)
        .map(FailureTable.EMBEDDED::get)
        .findFirst();
  }

  private static Optional<Finding> sign(int status, ErrorBody error) {
    Optional<Finding> byCode =
        FailureTable.SIGNS.stream()
            .filter(sign -> sign.statuses().has(status) && error.hasAny(sign.codes()))
            .map(sign -> Finding.sign(sign.code()))
            .findFirst();
    if (byCode.isPresent() || status >= 500) {
      return byCode;
    }
    if (TRY_AGAIN.matcher(error.message()).find()) {
      return Optional.empty();
    }
    return FailureTable.SENTENCES.stream()
        .filter(sentence -> error.hasAny(sentence.beside()))
        .filter(sentence -> sentence.words().matcher(error.message()).find())
        .map(sentence -> Finding.sign(sentence.code()))
        .findFirst();
  }

  private static Finding rateLimited(ErrorBody error) {
    boolean hopeless =
        error.codes().contains("rate_limit_exceeded")
            && !TRY_AGAIN.matcher(error.message()).find()
            && number(REQUESTED, error.message()) > number(LIMIT, error.message());
    if (hopeless) {
      return Finding.sign(ErrorCode.REQUEST_TOO_LARGE);
    }
    return GoogleDetails.dailyQuota(error).isPresent()
        ? new Finding(ErrorCode.RATE_LIMITED, AskAgain.ONCE, By.SIGN)
        : byStatus(429);
  }

  /** -1 if the text names no such number. */
  private static long number(Pattern named, String text) {
    Matcher found = named.matcher(text);
    return found.find() ? Long.parseLong(found.group(1)) : named == LIMIT ? Long.MAX_VALUE : -1;
  }

  private static Finding paymentRequired(Reply reply, ErrorBody error) {
    String source = error.error().path("metadata").path("limit_source").asString("");
    boolean clears =
        "openrouter_in_flight_budget".equals(source) && ReadServerWait.hasRetryAfter(reply, error);
    return clears ? Finding.sign(ErrorCode.RATE_LIMITED) : byStatus(402);
  }

  private static Finding unavailable(ErrorBody error) {
    boolean overloaded =
        error.codes().contains("overloaded") || OVERLOADED.matcher(error.message()).find();
    return overloaded ? Finding.sign(ErrorCode.PROVIDER_OVERLOADED) : byStatus(503);
  }

  private static Finding byStatus(int status) {
    return FailureTable.STATUSES.stream()
        .filter(row -> row.statuses().has(status))
        .findFirst()
        .map(Classify::finding)
        .orElse(new Finding(ErrorCode.INVALID_RESPONSE, AskAgain.NEVER, By.STATUS));
  }

  private static Finding finding(Row row) {
    return new Finding(row.code(), row.askAgain(), By.STATUS);
  }

  /**
   * {@code x-should-retry}: no is always believed; yes overrules a status, but neither money nor an
   * exact code.
   */
  private static Finding withProvidersWord(Finding found, Reply reply) {
    Fields headers = new Fields(reply.headers());
    if (headers.says("x-should-retry", "false")) {
      return new Finding(found.code(), AskAgain.NEVER, found.by());
    }
    boolean overruled =
        headers.says("x-should-retry", "true")
            && reply.status() >= 400
            && found.askAgain() == AskAgain.NEVER
            && found.by() == By.STATUS
            && found.code() != ErrorCode.BILLING;
    return overruled ? new Finding(found.code(), AskAgain.ALWAYS, found.by()) : found;
  }

  /** A name before a number: {@code RESOURCE_EXHAUSTED} says more than {@code 429}. */
  private static @Nullable String providerCode(ErrorBody error) {
    return GoogleDetails.dailyQuota(error)
        .or(() -> error.codes().stream().filter(code -> !isNumber(code)).findFirst())
        .or(() -> error.codes().stream().findFirst())
        .orElse(null);
  }

  private static boolean isNumber(String code) {
    return code.chars().allMatch(Character::isDigit);
  }
}
