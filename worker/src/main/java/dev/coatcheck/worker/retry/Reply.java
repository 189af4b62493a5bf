package dev.coatcheck.worker.retry;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A response that is no answer, to be understood.
 *
 * @param headers by name, in any case
 * @param body none if it is not JSON
 * @param receivedAt by our clock; the response's own {@code Date} is believed first
 */
public record Reply(
    int status, Map<String, List<String>> headers, @Nullable JsonNode body, Instant receivedAt) {}
