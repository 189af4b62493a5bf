package dev.coatcheck.db.attempt;

import org.jspecify.annotations.Nullable;

/**
 * An earlier attempt of a turn that counts.
 *
 * @param errorCode none if a crash or a cancel closed it
 */
public record PastAttempt(@Nullable String errorCode, @Nullable String providerCode) {}
