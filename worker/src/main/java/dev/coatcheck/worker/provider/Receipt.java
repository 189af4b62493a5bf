package dev.coatcheck.worker.provider;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the ledger keeps of an attempt, however it came out.
 *
 * @param httpStatus none if no response came
 * @param requestId the provider's id of the request
 * @param responseBytes of the body, after decompression
 */
public record Receipt(
    @Nullable Integer httpStatus,
    @Nullable String requestId,
    long responseBytes,
    Duration duration) {}
