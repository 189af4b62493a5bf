package dev.coatcheck.db.tenant;

import dev.coatcheck.db.pool.WebDatabase;
import java.util.Base64;
import java.util.random.RandomGenerator;

/** Makes an API key for a tenant. Only its hash is stored. */
public final class CreateApiKey {
  private static final String PREFIX = "ck_";
  private static final int SECRET_BYTES = 32;

  private final WebDatabase database;
  private final RandomGenerator random;

  /**
   * @param random not to be guessed
   */
  public CreateApiKey(WebDatabase database, RandomGenerator random) {
    this.database = database;
    this.random = random;
  }

  /** The new key, which nobody can be told again. */
  public String create(TenantId tenant) {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    String key = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    database
        .sql()
        .sql("insert into api_key (sha256, tenant_id) values (:sha256, :tenant)")
        .param("sha256", ApiKeyHash.of(key).bytes())
        .param("tenant", tenant.value())
        .update();
    return key;
  }
}
