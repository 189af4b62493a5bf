package dev.coatcheck.app.submit;

import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.app.setting.AppSettings;
import dev.coatcheck.app.tenant.Caller;
import dev.coatcheck.db.intake.JobView;
import dev.coatcheck.db.intake.NewJob;
import dev.coatcheck.db.intake.SubmitJob;
import dev.coatcheck.db.intake.Submitted;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.time.Ids;
import dev.coatcheck.db.tool.Tools;
import dev.coatcheck.db.webhook.WebhookSettings;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Optional;

/** Takes a job in. */
public final class Submit {
  private final ReadSubmission read;
  private final SubmitJob store;
  private final Ids ids;

  public Submit(Rules rules, SubmitJob store, Ids ids) {
    this.read =
        new ReadSubmission(
            new ReadModel(rules.settings),
            new ReadTerms(rules.clock),
            new CheckTools(rules.tools),
            new ReadWebhook(rules.webhooks));
    this.store = store;
    this.ids = ids;
  }

  /** What a submit is checked against. */
  public record Rules(
      AppSettings settings, WebhookSettings webhooks, InstantSource clock, Tools tools) {}

  /** What a submit is answered. */
  public sealed interface Answer {
    /**
     * The ticket.
     *
     * @param fresh the job as it stands, if this request made it
     */
    record Ticket(JobId job, Optional<JobView> fresh) implements Answer {
      /** Whether an earlier request had made it. */
      public boolean isReplayed() {
        return fresh.isEmpty();
      }
    }

    record Refused(Problem problem) implements Answer {}
  }

  /** Takes the request's job in, or says why not. */
  public Answer submit(HttpServletRequest request) throws IOException {
    if (!BodyType.isJson(request)) {
      return refused(ProblemCode.UNSUPPORTED_MEDIA_TYPE);
    }
    return switch (IdempotencyKey.of(request)) {
      case IdempotencyKey.Wrong wrong -> new Answer.Refused(wrong.problem());
      case IdempotencyKey.Given key -> submit(request, key);
    };
  }

  private Answer submit(HttpServletRequest request, IdempotencyKey.Given key) throws IOException {
    Optional<byte[]> body = ReadBody.of(request);
    if (body.isEmpty()) {
      return refused(ProblemCode.BODY_TOO_LARGE);
    }
    TenantId tenant = Caller.of(request);
    return switch (read.of(body.get(), tenant)) {
      case ReadSubmission.Read.Refused refused -> new Answer.Refused(refused.problem());
      case ReadSubmission.Read.RefusedForNow refused ->
          store
              .findEarlier(tenant, key.value(), refused.body())
              .map(Submit::answer)
              .orElseGet(() -> new Answer.Refused(refused.problem()));
      case ReadSubmission.Read.Submission submission ->
          answer(
              store.submit(
                  new NewJob(
                      new JobId(ids.next()),
                      tenant,
                      key.value(),
                      submission.model(),
                      submission.terms(),
                      submission.webhook(),
                      submission.body())));
    };
  }

  private static Answer answer(Submitted submitted) {
    return switch (submitted) {
      case Submitted.Accepted accepted ->
          new Answer.Ticket(accepted.job().id(), Optional.of(accepted.job()));
      case Submitted.Replayed replayed -> new Answer.Ticket(replayed.job(), Optional.empty());
      case Submitted.Reused reused ->
          new Answer.Refused(
              Problem.reused(new Problem.Reuse(reused.job().toString(), reused.differs())));
      case Submitted.TooMany tooMany -> refused(ProblemCode.TOO_MANY_JOBS);
    };
  }

  private static Answer refused(ProblemCode code) {
    return new Answer.Refused(Problem.of(code));
  }
}
