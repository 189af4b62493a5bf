package dev.coatcheck.worker.deliver;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookSigningException;
import dev.coatcheck.db.webhook.SigningSecrets;
import dev.coatcheck.worker.egress.Header;
import java.time.Instant;
import java.util.List;
import java.util.StringJoiner;

/** Signs a body after Standard Webhooks, once by each secret: receivers may rotate theirs. */
final class SignEvent {
  private SignEvent() {}

  /**
   * The headers of a try.
   *
   * @param id the event's, the same on every try
   * @param now of this try: receivers refuse what is old
   */
  static List<Header> headers(String id, Instant now, String body, SigningSecrets secrets) {
    var signatures = new StringJoiner(" ");
    for (String secret : secrets.reveal()) {
      try {
        signatures.add(new Webhook(secret).sign(id, now.getEpochSecond(), body));
      } catch (WebhookSigningException e) {
        throw new IllegalStateException("every Java platform has HMAC-SHA-256", e);
      }
    }
    return List.of(
        new Header("Content-Type", "application/json"),
        new Header("webhook-id", id),
        new Header("webhook-timestamp", Long.toString(now.getEpochSecond())),
        new Header("webhook-signature", signatures.toString()));
  }
}
