package dev.coatcheck.app.tenant;

import dev.coatcheck.db.intake.ApiKeys;
import dev.coatcheck.db.tenant.ApiKeyHash;
import dev.coatcheck.db.tenant.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Finds the tenant of an API key: configured ones, then the database's. A key of the database is
 * remembered for {@link #REMEMBERED}, so that it is out of force that long after it was revoked.
 */
public final class FindTenant {
  static final Duration REMEMBERED = Duration.ofSeconds(30);

  /** Keys remembered; past that all are forgotten, and looked up again when needed. */
  private static final int MAX_REMEMBERED = 10_000;

  private final List<ConfiguredKey> configured;
  private final ApiKeys keys;
  private final LongSupplier nanoTime;
  private final Map<ApiKeyHash, Remembered> remembered = new ConcurrentHashMap<>();

  public FindTenant(List<ConfiguredKey> configured, ApiKeys keys, LongSupplier nanoTime) {
    this.configured = List.copyOf(configured);
    this.keys = keys;
    this.nanoTime = nanoTime;
  }

  /** A key of the configuration. */
  public record ConfiguredKey(ApiKeyHash hash, TenantId tenant) {}

  private record Remembered(TenantId tenant, long nanos) {}

  /** Whose key it is; empty if it is unknown or revoked. */
  Optional<TenantId> find(String key) {
    ApiKeyHash hash = ApiKeyHash.of(key);
    Optional<TenantId> found = Optional.empty();
    for (ConfiguredKey candidate : configured) {
      if (candidate.hash.equals(hash)) {
        found = Optional.of(candidate.tenant);
      }
    }
    return found.isPresent() ? found : findStored(hash);
  }

  private Optional<TenantId> findStored(ApiKeyHash hash) {
    Remembered known = remembered.get(hash);
    long now = nanoTime.getAsLong();
    if (known != null && now - known.nanos <= REMEMBERED.toNanos()) {
      return Optional.of(known.tenant);
    }
    remembered.remove(hash);
    Optional<TenantId> tenant = keys.tenantOf(hash);
    tenant.ifPresent(
        owner -> {
          if (remembered.size() >= MAX_REMEMBERED) {
            remembered.clear();
          }
          remembered.put(hash, new Remembered(owner, now));
        });
    return tenant;
  }
}
