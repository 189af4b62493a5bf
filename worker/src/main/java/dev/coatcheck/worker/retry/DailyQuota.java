package dev.coatcheck.worker.retry;

import org.jspecify.annotations.Nullable;

/**
 * Google's daily quotas: they come with the {@code retryDelay} of a per-minute one, half a minute,
 * which is honoured once and then not believed.
 */
public final class DailyQuota {
  private static final String MARK = "PerDay";

  private DailyQuota() {}

  /** Whether a provider's code is the id of a daily quota. */
  public static boolean isOne(@Nullable String providerCode) {
    return providerCode != null && providerCode.contains(MARK);
  }
}
