package dev.coatcheck.app.submit;

import dev.coatcheck.db.intake.NewJob;
import dev.coatcheck.db.job.RequestBody;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.webhook.WebhookSettings;
import dev.coatcheck.db.webhook.WebhookUrl;
import java.util.List;
import java.util.Optional;

/** Reads {@code webhook}: who is told of the job's end. */
final class ReadWebhook {
  private static final String OUTPUT = "output";

  private final WebhookSettings settings;

  ReadWebhook(WebhookSettings settings) {
    this.settings = settings;
  }

  /** The job's own webhook, or the tenant's; of use only if there is no fault. */
  Optional<NewJob.Webhook> of(RequestBody body, TenantId tenant, Faults faults) {
    Optional<RawJson> member = body.member("webhook");
    if (member.isEmpty()) {
      return settings
          .defaultUrlOf(tenant)
          .map(url -> new NewJob.Webhook(url, NewJob.Webhook.Content.THIN));
    }
    var field = new Field("webhook", member.get(), faults);
    if (!settings.secretsOf(tenant).arePresent()) {
      return field.faultForNow("is not possible, since no coatcheck.webhooks.secret is configured");
    }
    return field.of(RawJson.Kind.OBJECT).flatMap(object -> read(field, object, tenant));
  }

  private Optional<NewJob.Webhook> read(Field field, RawJson object, TenantId tenant) {
    Optional<WebhookUrl> url = Optional.empty();
    boolean named = false;
    NewJob.Webhook.Content content = NewJob.Webhook.Content.THIN;
    for (RawJson.Member member : object.members()) {
      Field inner = field.in(member);
      switch (member.name()) {
        case "url" -> {
          named = true;
          url = inner.of(RawJson.Kind.STRING).flatMap(text -> url(inner, text.text()));
        }
        case "include" -> content = content(inner);
        default -> inner.fault("is not a member of webhook");
      }
    }
    if (!named) {
      url = settings.defaultUrlOf(tenant);
      if (url.isEmpty()) {
        field.faults().addForNow("webhook.url", "is required");
      }
    }
    NewJob.Webhook.Content carried = content;
    return url.map(to -> new NewJob.Webhook(to, carried));
  }

  private Optional<WebhookUrl> url(Field field, String text) {
    return switch (WebhookUrl.read(text, settings.reach())) {
      case WebhookUrl.Read.Good good -> Optional.of(good.url());
      case WebhookUrl.Read.Refused refused -> field.faultForNow(refused.why());
    };
  }

  private static NewJob.Webhook.Content content(Field field) {
    NewJob.Webhook.Content content = NewJob.Webhook.Content.THIN;
    if (field.value().kind() == RawJson.Kind.NULL) {
      return content;
    }
    int index = 0;
    for (RawJson element : field.of(RawJson.Kind.ARRAY).map(RawJson::elements).orElse(List.of())) {
      if (element.kind() == RawJson.Kind.STRING && element.text().equals(OUTPUT)) {
        content = NewJob.Webhook.Content.WITH_OUTPUT;
      } else {
        field.at(index, element).fault("must be \"output\"");
      }
      index++;
    }
    return content;
  }
}
