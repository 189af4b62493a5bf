package dev.coatcheck.app.tenant;

import dev.coatcheck.db.intake.ApiKeys;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.webhook.WebhookSettings;
import java.util.List;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Says at the start when tenants share a webhook secret: who knows it to verify webhooks can forge
 * those of the others.
 */
public final class WarnOfSharedSecret implements SmartInitializingSingleton {
  private static final Logger log = LoggerFactory.getLogger(WarnOfSharedSecret.class);

  private final WebhookSettings settings;
  private final List<TenantId> configured;
  private final ApiKeys keys;

  /**
   * @param configured tenants whose keys are in the configuration
   */
  public WarnOfSharedSecret(WebhookSettings settings, List<TenantId> configured, ApiKeys keys) {
    this.settings = settings;
    this.configured = List.copyOf(configured);
    this.keys = keys;
  }

  @Override
  public void afterSingletonsInstantiated() {
    if (settings.webhooks().secret().isBlank()) {
      return;
    }
    var sharing = new TreeSet<String>();
    configured.forEach(tenant -> sharing.add(tenant.value()));
    keys.tenants().forEach(tenant -> sharing.add(tenant.value()));
    sharing.addAll(settings.tenants().keySet());
    sharing.removeIf(tenant -> settings.hasOwnSecret(new TenantId(tenant)));
    if (sharing.size() > 1) {
      log.atWarn()
          .addKeyValue("tenants", sharing)
          .log(
              "Several tenants share coatcheck.webhooks.secret; coatcheck.tenants.NAME.webhook-secret"
                  + " gives one its own");
    }
  }
}
