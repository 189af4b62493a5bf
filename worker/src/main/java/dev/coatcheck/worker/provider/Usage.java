package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import org.jspecify.annotations.Nullable;

/**
 * Tokens of one reply in disjoint buckets, but for reasoning, which is part of the output. What the
 * provider did not say is unknown, not zero.
 *
 * @param input neither read from nor written to a cache
 * @param json the provider's own usage object
 */
public record Usage(
    @Nullable Long input,
    @Nullable Long inputCached,
    @Nullable Long cacheWrite,
    @Nullable Long output,
    @Nullable Long reasoning,
    Body json) {}
