package dev.coatcheck.worker.retry;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link Reply} means.
 *
 * @param providerCode the provider's own code or type
 * @param words the provider's own message, unmasked; empty if it has none
 */
public record Verdict(
    ErrorCode code,
    AskAgain askAgain,
    @Nullable String providerCode,
    @Nullable ServerWait serverWait,
    String words) {}
