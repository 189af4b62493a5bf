package dev.coatcheck.db.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coatcheck.db.setting.SettingFault;
import dev.coatcheck.db.tenant.TenantId;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class WebhookSettingsTest {
  private static final String ONE = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String TWO = "whsec_" + "A".repeat(32);
  private static final TenantId ACME = new TenantId("acme");
  private static final TenantId OTHER = new TenantId("other");

  @Test
  void names_and_defaults_are_these() {
    WebhookSettings none = bind(Map.of());
    assertThat(none.secretsOf(ACME).arePresent()).isFalse();
    assertThat(none.reach()).isEqualTo(WebhookReach.PUBLIC);
    assertThat(none.defaultUrlOf(ACME)).isEmpty();

    WebhookSettings all =
        bind(
            Map.of(
                "coatcheck.webhooks.secret",
                "  " + ONE + "  " + TWO,
                "coatcheck.webhooks.allow-private-addresses",
                "true",
                "coatcheck.tenants.acme.webhook-secret",
                TWO,
                "coatcheck.tenants.acme.webhook-url",
                "http://receiver:8080/hook"));
    assertThat(all.reach()).isEqualTo(WebhookReach.PRIVATE_TOO);
    assertThat(all.secretsOf(OTHER).reveal()).containsExactly(ONE, TWO);
    assertThat(all.secretsOf(ACME).reveal()).containsExactly(TWO);
    assertThat(all.defaultUrlOf(ACME))
        .hasValueSatisfying(url -> assertThat(url.endpoint()).isEqualTo("receiver:8080"));
    assertThat(all.defaultUrlOf(OTHER)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "coatcheck.webhooks.secret, canary",
    "coatcheck.webhooks.secret, whsec_canary",
    "coatcheck.webhooks.secret, whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw canary",
    "coatcheck.webhooks.secret, whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLa",
    "coatcheck.tenants.acme.webhook-secret, whsec_canary",
    "coatcheck.tenants.acme.webhook-url, http://example.com/canary",
    "coatcheck.tenants.acme.webhook-url, https://127.0.0.1/canary",
    "coatcheck.tenants.acme.webhook-url, https://example.com/canary",
    "coatcheck.tenants[a/b].webhook-url, https://example.com/canary"
  })
  void a_fault_names_the_property_and_never_the_value(String name, String value) {
    assertThatThrownBy(() -> bind(Map.of(name, value)))
        .rootCause()
        .isInstanceOf(SettingFault.class)
        .message()
        .startsWith(name.contains("[") ? "coatcheck.tenants must " : name + " must ")
        .doesNotContain("canary", "\n");
  }

  @Test
  void nothing_shows_a_secret() {
    var settings =
        bind(
            Map.of(
                "coatcheck.webhooks.secret", ONE,
                "coatcheck.tenants.acme.webhook-secret", TWO,
                "coatcheck.tenants.acme.webhook-url", "https://example.com/canary"));
    assertThat(settings.toString() + settings.secretsOf(ACME)).doesNotContain("whsec_", "canary");
  }

  private static WebhookSettings bind(Map<String, String> properties) {
    return new Binder(new MapConfigurationPropertySource(new HashMap<>(properties)))
        .bindOrCreate("coatcheck", Bindable.of(WebhookSettings.class));
  }
}
