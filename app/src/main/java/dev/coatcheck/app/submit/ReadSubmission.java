package dev.coatcheck.app.submit;

import dev.coatcheck.app.problem.Problem;
import dev.coatcheck.app.problem.ProblemCode;
import dev.coatcheck.db.intake.NewJob;
import dev.coatcheck.db.job.RequestBody;
import dev.coatcheck.db.json.JsonFault;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.json.StrictJson;
import dev.coatcheck.db.tenant.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads a submit's body, so that whatever is wrong with it is said before the 202. */
final class ReadSubmission {
  private static final Set<String> KNOWN =
      Set.of(
          "model",
          "prompt",
          "messages",
          "params",
          "tools",
          "max_turns",
          "stream",
          "budget",
          "not_before",
          "webhook",
          "metadata");

  private final ReadModel model;
  private final ReadTerms terms;
  private final CheckTools tools;
  private final ReadWebhook webhook;

  ReadSubmission(ReadModel model, ReadTerms terms, CheckTools tools, ReadWebhook webhook) {
    this.model = model;
    this.terms = terms;
    this.tools = tools;
    this.webhook = webhook;
  }

  /** What a body says. */
  sealed interface Read {
    record Submission(
        NewJob.Model model, NewJob.Terms terms, Optional<NewJob.Webhook> webhook, RequestBody body)
        implements Read {}

    record Refused(Problem problem) implements Read {}

    /** Refused as things are configured now: the same body may have been taken before. */
    record RefusedForNow(Problem problem, RequestBody body) implements Read {}
  }

  Read of(byte[] bytes, TenantId tenant) {
    Optional<JsonFault> malformed = StrictJson.faultOf(bytes);
    if (malformed.isPresent()) {
      return refused(malformed.get().detail());
    }
    var body = new RequestBody(bytes);
    if (body.root().kind() != RawJson.Kind.OBJECT) {
      return refused("the body must be a JSON object");
    }
    Optional<Problem> unknown = unknownMembers(body);
    return unknown.isPresent() ? new Read.Refused(unknown.get()) : of(body, tenant);
  }

  private Read of(RequestBody body, TenantId tenant) {
    var faults = new Faults();
    Optional<NewJob.Model> asked = model.of(body, faults);
    NewJob.Terms read = terms.of(body, faults);
    Optional<NewJob.Webhook> told = webhook.of(body, tenant, faults);
    CheckContent.check(body, faults);
    Optional<Problem> unknownTools = tools.unknown(body, faults);
    if (!faults.isEmpty() || asked.isEmpty()) {
      Problem problem = Problem.of(ProblemCode.INVALID_REQUEST, faults.errors());
      return faults.areLasting()
          ? new Read.Refused(problem)
          : new Read.RefusedForNow(problem, body);
    }
    Optional<Problem> unknown = unknownTools.or(() -> model.unknown(asked.get()));
    return unknown.isPresent()
        ? new Read.RefusedForNow(unknown.get(), body)
        : new Read.Submission(asked.get(), read, told, body);
  }

  private static Optional<Problem> unknownMembers(RequestBody body) {
    List<Problem.FieldError> unknown =
        body.root().members().stream()
            .filter(member -> !KNOWN.contains(member.name()))
            .limit(Faults.MAX)
            .map(member -> new Problem.FieldError(member.name(), "is not a member of a submit"))
            .toList();
    return unknown.isEmpty()
        ? Optional.empty()
        : Optional.of(Problem.of(ProblemCode.UNKNOWN_MEMBER, unknown));
  }

  private static Read refused(String detail) {
    return new Read.Refused(Problem.of(ProblemCode.INVALID_REQUEST, detail));
  }
}
