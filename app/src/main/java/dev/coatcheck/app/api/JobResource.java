package dev.coatcheck.app.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.coatcheck.app.json.Rfc3339;
import dev.coatcheck.app.query.OutputText;
import dev.coatcheck.app.query.StatusReason;
import dev.coatcheck.db.intake.AttemptView;
import dev.coatcheck.db.intake.JobView;
import dev.coatcheck.db.intake.ToolCallView;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.tool.ToolSafety;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A job as the API shows it. */
record JobResource(
    String id,
    String object,
    String status,
    @Nullable Reason statusReason,
    String model,
    @JsonRawValue String metadata,
    String idempotencyKey,
    String createdAt,
    @Nullable String startedAt,
    @Nullable String endedAt,
    String deadlineAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String erasedAt,
    @Nullable String outputText,
    @JsonRawValue @Nullable String output,
    @Nullable String finishReason,
    @Nullable Failure error,
    Usage usage,
    List<Attempt> attempts,
    long attemptsTotal,
    List<ToolCall> toolCalls,
    Links links) {

  record Reason(String code, @Nullable String until, @Nullable String detail) {}

  record Failure(String code, String message, boolean retryable, @Nullable Upstream upstream) {}

  record Upstream(
      String provider,
      @Nullable Integer httpStatus,
      @Nullable String code,
      @Nullable String requestId) {}

  record Usage(long input, long inputCached, long cacheWrite, long output, long reasoning) {}

  record Attempt(
      int number,
      int turn,
      String state,
      String sentAt,
      @Nullable String endedAt,
      @Nullable Integer httpStatus,
      @Nullable String errorCode,
      @Nullable Long retryAfterMs,
      String billed,
      @Nullable String providerRequestId) {}

  record ToolCall(
      String id,
      int turn,
      String name,
      @JsonRawValue String arguments,
      @Nullable String safety,
      String state,
      String effectKey,
      @JsonRawValue @Nullable String result,
      @Nullable String error,
      @Nullable String startedAt,
      @Nullable String endedAt) {}

  record Links(String self, String cancel, String events) {
    static Links of(JobView job) {
      String self = "/v1/jobs/" + job.id();
      return new Links(self, self + "/cancel", self + "/events");
    }
  }

  static JobResource of(JobView job) {
    JobView.Times times = job.times();
    return new JobResource(
        job.id().toString(),
        "job",
        job.status().text(),
        StatusReason.of(job).map(JobResource::reason).orElse(null),
        job.request().model(),
        job.request().metadata().map(RawJson::spelling).orElse("{}"),
        job.request().idempotencyKey(),
        Rfc3339.of(times.created()),
        Rfc3339.of(times.started()),
        Rfc3339.of(times.ended()),
        Rfc3339.of(times.deadline()),
        Rfc3339.of(times.erased()),
        job.message().flatMap(OutputText::of).orElse(null),
        job.message().map(RawJson::spelling).orElse(null),
        job.end().finishReason().orElse(null),
        job.end().error().map(error -> failure(error, job)).orElse(null),
        usage(job.usage()),
        job.attempts().stream().map(JobResource::attempt).toList(),
        job.attemptsTotal(),
        job.toolCalls().stream().map(JobResource::toolCall).toList(),
        Links.of(job));
  }

  static Reason reason(StatusReason reason) {
    return new Reason(reason.code(), Rfc3339.of(reason.until()), reason.detail().orElse(null));
  }

  static Failure failure(JobView.JobFailure error, JobView job) {
    JobView.Upstream upstream = error.upstream();
    return new Failure(
        error.code(),
        error.message(),
        error.retryable(),
        upstream.isKnown()
            ? new Upstream(
                job.request().provider(),
                upstream.status().orElse(null),
                upstream.code().orElse(null),
                upstream.requestId().orElse(null))
            : null);
  }

  static Usage usage(JobView.Usage sum) {
    return new Usage(
        sum.input(), sum.inputCached(), sum.cacheWrite(), sum.output(), sum.reasoning());
  }

  private static ToolCall toolCall(ToolCallView call) {
    return new ToolCall(
        call.id().toString(),
        call.turn(),
        call.name(),
        call.arguments().spelling(),
        call.safety().map(ToolSafety::text).orElse(null),
        call.state().text(),
        call.effectKey(),
        call.end().result().map(RawJson::spelling).orElse(null),
        call.end().error().orElse(null),
        Rfc3339.of(call.end().started()),
        Rfc3339.of(call.end().ended()));
  }

  private static Attempt attempt(AttemptView attempt) {
    AttemptView.Reply reply = attempt.reply();
    return new Attempt(
        attempt.number(),
        attempt.turn(),
        attempt.state(),
        Rfc3339.of(attempt.sentAt()),
        Rfc3339.of(attempt.endedAt()),
        reply.httpStatus().orElse(null),
        reply.errorCode().orElse(null),
        reply.retryAfterMs().orElse(null),
        reply.billed(),
        reply.providerRequestId().orElse(null));
  }
}
