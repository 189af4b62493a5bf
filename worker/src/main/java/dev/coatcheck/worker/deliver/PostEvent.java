package dev.coatcheck.worker.deliver;

import dev.coatcheck.db.delivery.ClaimedDelivery;
import dev.coatcheck.db.delivery.TryOutcome;
import dev.coatcheck.db.webhook.SigningSecrets;
import dev.coatcheck.db.webhook.WebhookSettings;
import dev.coatcheck.db.webhook.WebhookUrl;
import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.egress.Egress;
import dev.coatcheck.worker.egress.EgressRequest;
import dev.coatcheck.worker.egress.OutboundCall;
import java.time.InstantSource;

/** Makes one try: writes, signs and sends an event. Holds no connection of the database. */
final class PostEvent {
  private final WebhookSettings settings;
  private final Egress egress;
  private final JudgeReply judge;
  private final InstantSource clock;

  /**
   * @param egress a door that lets webhooks reach only what they may
   */
  PostEvent(WebhookSettings settings, Egress egress, JudgeReply judge, InstantSource clock) {
    this.settings = settings;
    this.egress = egress;
    this.judge = judge;
    this.clock = clock;
  }

  TryOutcome post(ClaimedDelivery delivery, OutboundCall call) {
    SigningSecrets secrets = settings.secretsOf(delivery.tenant());
    if (!secrets.arePresent()) {
      return judge.unanswered("this worker has no coatcheck.webhooks.secret", delivery.failures());
    }
    // Once more, since the worker's own settings decide how far it reaches.
    return switch (WebhookUrl.read(delivery.url(), settings.reach())) {
      case WebhookUrl.Read.Refused(String why) ->
          judge.unanswered("the URL " + why, delivery.failures());
      case WebhookUrl.Read.Good(WebhookUrl url) -> {
        String body = WriteEvent.of(delivery.event());
        var request =
            new EgressRequest(
                url.uri(),
                SignEvent.headers(delivery.event().id(), clock.instant(), body, secrets),
                Body.utf8(body),
                Limits.TRY);
        yield judge.judge(egress.exchange(request, call), delivery.failures());
      }
    };
  }
}
