package dev.coatcheck.db.intake;

import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.job.RequestBody;
import dev.coatcheck.db.json.JsonDifference;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.tenant.TenantId;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Stores a job, its request and its first dispatch in one transaction. */
public final class SubmitJob {
  private final WebDatabase database;
  private final Dispatches dispatches;
  private final OpenJobs openJobs;
  private final InTime inTime;

  SubmitJob(WebDatabase database, Dispatches dispatches, OpenJobs openJobs, InTime inTime) {
    this.database = database;
    this.dispatches = dispatches;
    this.openJobs = openJobs;
    this.inTime = inTime;
  }

  /**
   * Any number of times in parallel with one idempotency key: one job.
   *
   * @throws DatabaseAway when it is not known whether the job was stored
   */
  public Submitted submit(NewJob job) {
    byte[] fingerprint = Fingerprint.of(job.body().root());
    Stored stored =
        inTime.get(
            () ->
                database
                    .probe()
                    .write(Checkpoint.W3_COMMITTED, () -> inTransaction(job, fingerprint)));
    return switch (stored) {
      case Stored.Made made -> {
        dispatches.announce(job.id());
        openJobs.accepted(job.tenant());
        database.probe().reach(Checkpoint.W2_STORED);
        yield new Submitted.Accepted(made.job);
      }
      case Stored.Full full -> new Submitted.TooMany();
      case Stored.Earlier earlier -> compare(earlier, job.tenant(), job.body(), fingerprint);
    };
  }

  /**
   * What a request is answered for the sake of an earlier one of its idempotency key; empty if
   * there was none.
   *
   * @throws DatabaseAway when nothing could be read
   */
  public Optional<Submitted> findEarlier(TenantId tenant, String key, RequestBody body) {
    return inTime
        .get(() -> earlier(tenant, key))
        .map(earlier -> compare(earlier, tenant, body, Fingerprint.of(body.root())));
  }

  private Submitted compare(
      Stored.Earlier earlier, TenantId tenant, RequestBody body, byte[] fingerprint) {
    return Arrays.equals(earlier.fingerprint.bytes, fingerprint)
        ? new Submitted.Replayed(earlier.job)
        : new Submitted.Reused(earlier.job, differences(tenant, body, earlier.job));
  }

  private sealed interface Stored {
    record Made(JobView job) implements Stored {}

    record Full() implements Stored {}

    record Earlier(JobId job, Bytes fingerprint) implements Stored {}
  }

  private static final class Bytes {
    private final byte[] bytes;

    private Bytes(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  private Stored inTransaction(NewJob job, byte[] fingerprint) {
    Stored stored =
        database
            .transaction()
            .execute(
                status -> {
                  if (openJobs.isFull(job.tenant())) {
                    Optional<Stored.Earlier> earlier = earlier(job.tenant(), job.idempotencyKey());
                    return earlier.isPresent() ? earlier.get() : new Stored.Full();
                  }
                  Optional<Stored> made = insert(job, fingerprint).map(Stored.Made::new);
                  return made.isPresent()
                      ? made.get()
                      : earlier(job.tenant(), job.idempotencyKey()).orElseThrow();
                });
    return stored;
  }

  /** The job as it stands then, if the idempotency key was free. */
  private Optional<JobView> insert(NewJob job, byte[] fingerprint) {
    Optional<Inserted> row = insertJob(job, fingerprint);
    row.ifPresent(
        inserted -> {
          dispatches.createFirst(job.firstDispatch(), inserted.wakeAt);
          database.probe().reach(Checkpoint.W1_INSERTED);
        });
    return row.map(inserted -> JobView.fresh(job, inserted));
  }

  /** What the database made of a new job. */
  record Inserted(Instant createdAt, Optional<Instant> wakeAt, Instant deadlineAt) {
    static Inserted of(ResultSet row, int number) throws SQLException {
      return new Inserted(
          row.getObject("created_at", OffsetDateTime.class).toInstant(),
          Optional.ofNullable(row.getObject("wake_at", OffsetDateTime.class))
              .map(OffsetDateTime::toInstant),
          row.getObject("deadline_at", OffsetDateTime.class).toInstant());
    }
  }

  private Optional<Inserted> insertJob(NewJob job, byte[] fingerprint) {
    String sql =
        """
        with made as (
        insert into job (id, tenant_id, idempotency_key, fingerprint, status,
            model, provider, provider_model, metadata, metadata_hashes,
            max_attempts, max_turns, attempt_timeout_ms, max_wait_ms, stream, dispatch_id, events,
            has_webhook,
            wake_at, deadline_at)
        values (:id, :tenant, :key, :fingerprint, 'queued',
            :model, :provider, :provider_model, cast(:metadata as bytea), cast(:hashes as bigint[]),
            :max_attempts, :max_turns, :attempt_timeout_ms, :max_wait_ms, :stream, :id, 1,
            cast(:webhook as text) is not null,
            case when cast(:not_before as timestamptz) > now() then cast(:not_before as timestamptz) end,
            greatest(now(), cast(:not_before as timestamptz)) + :deadline_ms * interval '1 ms')
        on conflict (tenant_id, idempotency_key) do nothing
        returning id, tenant_id, created_at, wake_at, deadline_at),
        request as (
          insert into job_request (job_id, tenant_id, body)
          select id, tenant_id, cast(:body as bytea) from made),
        told as (
          insert into event (job_id, number, tenant_id, type, data)
          select id, 1, tenant_id, 'job.queued',
            event_of_status('queued', case when wake_at is null then 'ready' else 'scheduled' end, wake_at)
          from made),
        hooked as (
          insert into webhook (job_id, tenant_id, url, endpoint, include_output)
          select id, tenant_id, cast(:webhook as text), cast(:endpoint as text),
            cast(:include_output as boolean)
          from made where cast(:webhook as text) is not null)
        select created_at, wake_at, deadline_at from made
        """;
    Optional<RawJson> metadata = job.metadata();
    NewJob.Terms terms = job.terms();
    Optional<NewJob.Webhook> webhook = job.webhook();
    return database
        .sql()
        .sql(sql)
        .param("id", job.id().value())
        .param("tenant", job.tenant().value())
        .param("key", job.idempotencyKey())
        .param("fingerprint", fingerprint)
        .param("model", job.model().asked())
        .param("provider", job.model().provider())
        .param("provider_model", job.model().providerModel())
        .param("metadata", metadata.map(RawJson::bytes).orElse(null))
        .param("hashes", metadata.map(MetadataHash::of).orElse(null))
        .param("max_attempts", terms.budget().maxAttempts())
        .param("max_turns", terms.budget().maxTurns())
        .param("attempt_timeout_ms", terms.budget().attemptTimeout().toMillis())
        .param("max_wait_ms", terms.budget().maxWait().toMillis())
        .param("stream", job.body().isStreamed())
        .param("not_before", terms.notBefore().map(at -> at.atOffset(ZoneOffset.UTC)).orElse(null))
        .param("deadline_ms", terms.deadline().toMillis())
        .param("webhook", webhook.map(hook -> hook.url().uri().toString()).orElse(null))
        .param("endpoint", webhook.map(hook -> hook.url().endpoint()).orElse(null))
        .param(
            "include_output",
            webhook.map(hook -> hook.content() == NewJob.Webhook.Content.WITH_OUTPUT).orElse(null))
        .param("body", job.body().bytes())
        .query(Inserted::of)
        .optional();
  }

  private Optional<Stored.Earlier> earlier(TenantId tenant, String key) {
    return database
        .sql()
        .sql(
            """
            select id, fingerprint from job
            where tenant_id = :tenant and idempotency_key = :key
            """)
        .param("tenant", tenant.value())
        .param("key", key)
        .query(
            (row, number) ->
                new Stored.Earlier(
                    new JobId(row.getObject("id", UUID.class)),
                    new Bytes(row.getBytes("fingerprint"))))
        .optional();
  }

  private Optional<List<String>> differences(TenantId tenant, RequestBody body, JobId earlier) {
    Optional<byte[]> stored = inTime.get(() -> body(tenant, earlier));
    return stored.map(bytes -> JsonDifference.between(new RequestBody(bytes).root(), body.root()));
  }

  private Optional<byte[]> body(TenantId tenant, JobId job) {
    return database
        .sql()
        .sql("select body from job_request where tenant_id = :tenant and job_id = :job")
        .param("tenant", tenant.value())
        .param("job", job.value())
        .query((row, number) -> row.getBytes("body"))
        .optional();
  }
}
