package dev.coatcheck.db.webhook;

import dev.coatcheck.db.setting.SettingFault;
import dev.coatcheck.db.tenant.TenantId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * {@code coatcheck.webhooks} and {@code coatcheck.tenants}: where webhooks may go and what signs
 * them. Intake and the sender read the same.
 */
@ConfigurationProperties("coatcheck")
public record WebhookSettings(
    @DefaultValue Webhooks webhooks, @DefaultValue Map<String, Tenant> tenants) {
  private static final String SECRETS_FORM =
      " must be up to ten secrets separated by spaces, each whsec_ and the base64 of 24 to 64 bytes";

  /**
   * Those of every tenant that has none of its own.
   *
   * @param secret one or more, separated by spaces; none by default
   * @param allowPrivateAddresses whether webhooks reach private networks and this machine, too
   */
  public record Webhooks(
      @DefaultValue("") String secret, @DefaultValue("false") boolean allowPrivateAddresses) {
    public Webhooks {
      require(SigningSecrets.parse(secret).isPresent(), "coatcheck.webhooks.secret" + SECRETS_FORM);
    }

    /** Never the secret. */
    @Override
    public String toString() {
      return "Webhooks";
    }
  }

  /**
   * A tenant's own.
   *
   * @param webhookSecret in place of the common ones
   * @param webhookUrl of jobs that name none
   */
  public record Tenant(
      @DefaultValue("") String webhookSecret, @DefaultValue("") String webhookUrl) {
    /** Never the secret, nor the URL, which may hold one. */
    @Override
    public String toString() {
      return "Tenant";
    }
  }

  /**
   * @throws SettingFault in one sentence that names the property
   */
  public WebhookSettings {
    tenants = Map.copyOf(tenants);
    WebhookReach reach = reach(webhooks);
    tenants.forEach((name, tenant) -> check(name, tenant, reach));
    boolean common = !webhooks.secret.isBlank();
    tenants.forEach(
        (name, tenant) ->
            require(
                tenant.webhookUrl.isBlank() || common || !tenant.webhookSecret.isBlank(),
                "coatcheck.tenants."
                    + name
                    + ".webhook-url must have a webhook-secret beside it,"
                    + " or coatcheck.webhooks.secret"));
  }

  public WebhookReach reach() {
    return reach(webhooks);
  }

  /** What signs the tenant's webhooks; none if nothing is configured. */
  public SigningSecrets secretsOf(TenantId tenant) {
    String secret = own(tenant).map(Tenant::webhookSecret).orElse(webhooks.secret);
    return SigningSecrets.parse(secret).orElseThrow();
  }

  /** Every tenant's, for those who mask them. */
  public List<String> allSecrets() {
    return Stream.concat(
            Stream.of(webhooks.secret), tenants.values().stream().map(Tenant::webhookSecret))
        .flatMap(secrets -> SigningSecrets.parse(secrets).orElseThrow().reveal().stream())
        .toList();
  }

  public boolean hasOwnSecret(TenantId tenant) {
    return own(tenant).isPresent();
  }

  private Optional<Tenant> own(TenantId tenant) {
    return Optional.ofNullable(tenants.get(tenant.value()))
        .filter(own -> !own.webhookSecret.isBlank());
  }

  /** Where a job's webhook goes that names no URL. */
  public Optional<WebhookUrl> defaultUrlOf(TenantId tenant) {
    return Optional.ofNullable(tenants.get(tenant.value()))
        .filter(own -> !own.webhookUrl.isBlank())
        .flatMap(
            own ->
                WebhookUrl.read(own.webhookUrl.strip(), reach())
                        instanceof WebhookUrl.Read.Good(WebhookUrl url)
                    ? Optional.of(url)
                    : Optional.empty());
  }

  private static WebhookReach reach(Webhooks webhooks) {
    return webhooks.allowPrivateAddresses ? WebhookReach.PRIVATE_TOO : WebhookReach.PUBLIC;
  }

  private static void check(String name, Tenant tenant, WebhookReach reach) {
    require(
        TenantId.parse(name).isPresent(),
        "coatcheck.tenants must have names of 1 to 64 characters of [A-Za-z0-9._-]");
    String path = "coatcheck.tenants." + name;
    require(
        SigningSecrets.parse(tenant.webhookSecret).isPresent(),
        path + ".webhook-secret" + SECRETS_FORM);
    if (!tenant.webhookUrl.isBlank()
        && WebhookUrl.read(tenant.webhookUrl.strip(), reach)
            instanceof WebhookUrl.Read.Refused(String why)) {
      throw new SettingFault(path + ".webhook-url " + why);
    }
  }

  private static void require(boolean condition, String sentence) {
    if (!condition) {
      throw new SettingFault(sentence);
    }
  }
}
