package dev.coatcheck.app.setting;

import dev.coatcheck.db.setting.SettingFault;
import dev.coatcheck.db.tenant.ApiKeyHash;
import dev.coatcheck.db.tenant.TenantId;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What of {@code coatcheck} the web tier reads.
 *
 * @param defaultProvider serves every model whose prefix names no provider
 * @param defaultModel of a request that names none; empty for none
 * @param providers only their names matter here
 * @param apiKeys for a first start; others live in the database
 * @param retention how long ended jobs are kept
 * @param standalone whether a process without keys serves the tenant {@code default} on loopback
 */
@ConfigurationProperties("coatcheck")
public record AppSettings(
    @DefaultValue("openai") String defaultProvider,
    @DefaultValue("") String defaultModel,
    @DefaultValue Map<String, ProviderName> providers,
    @DefaultValue List<ApiKey> apiKeys,
    @DefaultValue Limits limits,
    @DefaultValue("30d") Duration retention,
    @DefaultValue("false") boolean standalone) {
  /** A model's name has so many characters at most. */
  public static final int MAX_MODEL = 256;

  private static final Duration MAX_RETENTION = Duration.ofDays(3_650);

  /** Stands for a provider's settings, which the worker reads; one of these is always there. */
  public record ProviderName(@Nullable String dialect, @Nullable String baseUrl) {}

  /** A key by its SHA-256, and whose it is. */
  public record ApiKey(@DefaultValue("") String tenant, @DefaultValue("") String sha256) {
    public TenantId tenantId() {
      return new TenantId(tenant);
    }

    public ApiKeyHash hash() {
      return ApiKeyHash.parse(sha256).orElseThrow();
    }
  }

  /**
   * What a tenant may have.
   *
   * @param openJobs jobs that have not ended
   */
  public record Limits(@DefaultValue("1000000") long openJobs) {
    private static final long MOST = 1_000_000_000_000L;

    public Limits {
      require(openJobs >= 1 && openJobs <= MOST, "coatcheck.limits.open-jobs must be 1 to " + MOST);
    }
  }

  /**
   * @throws SettingFault in one sentence that names the property
   */
  public AppSettings {
    providers = Map.copyOf(providers);
    apiKeys = List.copyOf(apiKeys);
    require(
        providers.containsKey(defaultProvider),
        "coatcheck.default-provider must name one of coatcheck.providers");
    require(
        defaultModel.codePointCount(0, defaultModel.length()) <= MAX_MODEL
            && defaultModel.codePoints().noneMatch(Character::isISOControl),
        "coatcheck.default-model must have at most 256 characters, none of them a control character");
    require(
        !retention.isNegative() && retention.compareTo(MAX_RETENTION) <= 0,
        "coatcheck.retention must be 0 to 3650 days");
    checkApiKeys(apiKeys);
  }

  /** Whether a model's prefix names a provider. */
  public boolean isProvider(String name) {
    return providers.containsKey(name);
  }

  private static void checkApiKeys(List<ApiKey> keys) {
    var hashes = new HashSet<String>();
    for (int i = 0; i < keys.size(); i++) {
      String name = "coatcheck.api-keys[" + i + "]";
      ApiKey key = keys.get(i);
      require(
          TenantId.parse(key.tenant).isPresent(),
          name + ".tenant must be 1 to 64 characters of [A-Za-z0-9._-]");
      require(
          ApiKeyHash.parse(key.sha256).isPresent(),
          name + ".sha256 must be the SHA-256 of a key as 64 lower-case hexadecimal digits");
      require(hashes.add(key.sha256), name + ".sha256 must not be listed twice");
    }
  }

  private static void require(boolean condition, String sentence) {
    if (!condition) {
      throw new SettingFault(sentence);
    }
  }
}
