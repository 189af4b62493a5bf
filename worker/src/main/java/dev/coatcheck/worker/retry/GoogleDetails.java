package dev.coatcheck.worker.retry;

import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Google's typed error details. */
final class GoogleDetails {
  private static final int MAX = 50;

  private GoogleDetails() {}

  /** The id of a daily quota that is used up. */
  static Optional<String> dailyQuota(ErrorBody error) {
    return details(error)
        .flatMap(detail -> elements(detail.path("violations")))
        .map(violation -> violation.path("quotaId").asString(""))
        .filter(DailyQuota::isOne)
        .findFirst();
  }

  /** {@code RetryInfo.retryDelay}. */
  static Optional<String> retryDelay(ErrorBody error) {
    return details(error)
        .map(detail -> detail.path("retryDelay"))
        .filter(JsonNode::isString)
        .map(JsonNode::stringValue)
        .findFirst();
  }

  private static Stream<JsonNode> details(ErrorBody error) {
    return elements(error.error().path("details"));
  }

  private static Stream<JsonNode> elements(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false).limit(MAX);
  }
}
