package dev.coatcheck.app.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonRawValue;
import dev.coatcheck.app.json.Rfc3339;
import dev.coatcheck.app.query.StatusReason;
import dev.coatcheck.db.intake.JobView;
import dev.coatcheck.db.json.RawJson;
import org.jspecify.annotations.Nullable;

/** A job in a list: as the API shows it, without what may be long. */
record JobItem(
    String id,
    String object,
    String status,
    JobResource.@Nullable Reason statusReason,
    String model,
    @JsonRawValue String metadata,
    String idempotencyKey,
    String createdAt,
    @Nullable String startedAt,
    @Nullable String endedAt,
    String deadlineAt,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String erasedAt,
    @Nullable String finishReason,
    JobResource.@Nullable Failure error,
    JobResource.Usage usage,
    long attemptsTotal,
    JobResource.Links links) {

  static JobItem of(JobView job) {
    JobView.Times times = job.times();
    return new JobItem(
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
        job.end().finishReason().orElse(null),
        job.end().error().map(error -> JobResource.failure(error, job)).orElse(null),
        JobResource.usage(job.usage()),
        job.attemptsTotal(),
        JobResource.Links.of(job));
  }
}
