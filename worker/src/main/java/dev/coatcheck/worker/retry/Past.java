package dev.coatcheck.worker.retry;

import org.jspecify.annotations.Nullable;

/**
 * An earlier attempt of the same turn that counts, as the ledger keeps it.
 *
 * @param code none if a crash or a cancel closed it
 * @param providerCode the provider's own code, as {@link Failure.Upstream#code} had it
 */
public record Past(@Nullable ErrorCode code, @Nullable String providerCode) {}
