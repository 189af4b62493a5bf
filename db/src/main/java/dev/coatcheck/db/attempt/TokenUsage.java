package dev.coatcheck.db.attempt;

import org.jspecify.annotations.Nullable;

/**
 * Tokens in disjoint buckets, but for reasoning, which is part of the output. Unknown is not zero.
 *
 * @param json the provider's own usage object
 */
public record TokenUsage(
    @Nullable Long input,
    @Nullable Long inputCached,
    @Nullable Long cacheWrite,
    @Nullable Long output,
    @Nullable Long reasoning,
    byte[] json) {}
