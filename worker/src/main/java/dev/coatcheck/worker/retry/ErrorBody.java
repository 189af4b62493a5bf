package dev.coatcheck.worker.retry;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The error in a body, whatever provider's shape it has.
 *
 * @param present whether the body holds an error at all
 * @param codes its codes, types and reasons, the most telling first
 * @param status a status that the body itself names, 400 to 599
 * @param message the provider's words; empty if there are none
 * @param error the error object; a missing node if there is none
 */
record ErrorBody(
    Presence present,
    List<String> codes,
    @Nullable Integer status,
    String message,
    JsonNode error) {
  enum Presence {
    NONE,
    ERROR
  }

  boolean hasAny(Iterable<String> wanted) {
    for (String code : wanted) {
      if (codes.contains(code)) {
        return true;
      }
    }
    return false;
  }
}
