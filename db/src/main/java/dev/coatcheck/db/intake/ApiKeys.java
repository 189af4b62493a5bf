package dev.coatcheck.db.intake;

import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.tenant.ApiKeyHash;
import dev.coatcheck.db.tenant.TenantId;
import java.util.List;
import java.util.Optional;

/** The API keys that the database knows, by their hashes. */
public final class ApiKeys {
  private final WebDatabase database;
  private final InTime inTime;

  ApiKeys(WebDatabase database, InTime inTime) {
    this.database = database;
    this.inTime = inTime;
  }

  /**
   * Whose the key is, unless it is unknown or revoked.
   *
   * @throws DatabaseAway when nothing could be read
   */
  public Optional<TenantId> tenantOf(ApiKeyHash hash) {
    return inTime.get(() -> select(hash));
  }

  /**
   * Whether there is a key that is not revoked.
   *
   * @throws DatabaseAway when nothing could be read
   */
  public boolean anyExists() {
    return inTime.get(
        () ->
            database
                .sql()
                .sql("select exists (select 1 from api_key where revoked_at is null)")
                .query(Boolean.class)
                .single());
  }

  /**
   * Tenants that have a key which is not revoked.
   *
   * @throws DatabaseAway when nothing could be read
   */
  public List<TenantId> tenants() {
    return inTime.get(
        () ->
            database
                .sql()
                .sql("select distinct tenant_id from api_key where revoked_at is null")
                .query((row, number) -> new TenantId(row.getString("tenant_id")))
                .list());
  }

  private Optional<TenantId> select(ApiKeyHash hash) {
    return database
        .sql()
        .sql("select tenant_id from api_key where sha256 = :hash and revoked_at is null")
        .param("hash", hash.bytes())
        .query((row, number) -> new TenantId(row.getString("tenant_id")))
        .optional();
  }
}
