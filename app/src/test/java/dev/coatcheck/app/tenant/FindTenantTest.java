package dev.coatcheck.app.tenant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.app.RunningApp;
import dev.coatcheck.db.intake.ApiKeys;
import dev.coatcheck.db.tenant.TenantId;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class FindTenantTest {
  private final RunningApp app = RunningApp.shared();
  private final AtomicLong nanos = new AtomicLong();
  private final FindTenant tenants =
      new FindTenant(List.of(), app.context().getBean(ApiKeys.class), nanos::get);

  @Test
  void a_revoked_key_is_out_of_force_within_a_minute() {
    String key = app.makeKey("initech");
    assertThat(tenants.find(key)).contains(new TenantId("initech"));
    app.sql().sql("update api_key set revoked_at = now() where tenant_id = 'initech'").update();

    nanos.addAndGet(Duration.ofSeconds(60).toNanos());
    assertThat(tenants.find(key)).isEmpty();
  }

  @Test
  void a_key_that_was_unknown_is_in_force_once_it_is_made() {
    String key = "any-string-with-that-hash";
    assertThat(tenants.find(key)).isEmpty();
    app.sql()
        .sql("insert into api_key (sha256, tenant_id) values (sha256(:key::bytea), 'initech')")
        .param("key", key)
        .update();

    assertThat(tenants.find(key)).contains(new TenantId("initech"));
  }
}
