package dev.coatcheck.db.intake;

import dev.coatcheck.db.dispatch.Dispatch;
import dev.coatcheck.db.job.Budget;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.RequestBody;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.webhook.WebhookUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A job as it is accepted.
 *
 * @param idempotencyKey the caller's
 * @param webhook who is told of its end; none if nobody is
 */
public record NewJob(
    JobId id,
    TenantId tenant,
    String idempotencyKey,
    Model model,
    Terms terms,
    Optional<Webhook> webhook,
    RequestBody body) {
  /**
   * Who is asked.
   *
   * @param asked as the caller wrote it
   * @param provider the configured provider that serves it
   * @param providerModel what that provider is asked for
   */
  public record Model(String asked, String provider, String providerModel) {}

  /**
   * What the job may take.
   *
   * @param deadline from acceptance, or from {@code notBefore} if that is later
   */
  public record Terms(Budget budget, Duration deadline, Optional<Instant> notBefore) {}

  /** Empty where there is none, or no pair in it. */
  Optional<RawJson> metadata() {
    return body.member("metadata").filter(object -> !object.members().isEmpty());
  }

  /** Who is told, and whether the output goes along. */
  public record Webhook(WebhookUrl url, Content content) {
    /** What a webhook carries. */
    public enum Content {
      /** The job's id. */
      THIN,
      /** The output too, unless it is long. */
      WITH_OUTPUT
    }
  }

  Dispatch firstDispatch() {
    return new Dispatch(id, 1, model.asked, idempotencyKey, tenant, model.provider);
  }
}
