package dev.coatcheck.db.delivery;

import com.zaxxer.hikari.HikariDataSource;
import dev.coatcheck.db.Migrated;
import dev.coatcheck.db.dispatch.DispatchStorage;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.dispatch.Slots;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.time.Ids;
import dev.coatcheck.fixture.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.utils.mapper.JsonMapperFactory;
import org.jspecify.annotations.Nullable;

/** Jobs that have ended, with all that one can have; and the stores that tell and forget them. */
public final class EndedJobs implements AutoCloseable {
  public final EngineDatabase database;
  public final Dispatches dispatches;
  private final HikariDataSource pool;
  private final Notifier notifier;
  private final Ids ids = Ids.system();

  public EndedJobs(TestDatabase testDatabase) {
    this.pool = Migrated.pool(testDatabase, 6);
    this.database = Migrated.engine(pool);
    this.notifier = Migrated.notifier(testDatabase);
    this.dispatches =
        new Dispatches(
            new DispatchStorage(
                pool,
                new JobMapper(JsonMapperFactory.createJsonMapper()),
                Slots.none(),
                InstantSource.system()),
            notifier);
  }

  /** A job that completed that long ago; with a webhook to that endpoint, unless it is null. */
  public JobId completed(String ago, @Nullable String endpoint) {
    var id = new JobId(ids.next());
    database
        .sql()
        .sql(
            """
            with new_job as (
              insert into job (id, tenant_id, idempotency_key, fingerprint, status, model, provider,
                provider_model, max_attempts, max_turns, attempt_timeout_ms, max_wait_ms, dispatch_id,
                has_webhook, deadline_at)
              values (:id, 'default', 'key-' || :id, '', 'queued', 'm', 'openai', 'm', 4, 8, 300000,
                600000, :id, cast(:endpoint as text) is not null, now() + interval '30 minutes')),
            request as (
              insert into job_request (job_id, tenant_id, body) values (:id, 'default', :content)),
            answer as (
              insert into turn (job_id, number, tenant_id, attempt, message, finish_reason)
              values (:id, 1, 'default', 1, :content, 'stop')),
            asked as (
              insert into attempt (job_id, number, tenant_id, turn, epoch, state, usage_output, usage_json)
              values (:id, 1, 'default', 1, 1, 'answered', 7, :content)),
            noted as (
              insert into event (job_id, number, tenant_id, type, data)
              values (:id, 1, 'default', 'output.delta', '{"text":"content"}'))
            insert into webhook (job_id, tenant_id, url, endpoint, include_output)
            select :id, 'default', 'https://' || :endpoint || '/', :endpoint, true
            where cast(:endpoint as text) is not null
            """)
        .param("id", id.value())
        .param("endpoint", endpoint)
        .param("content", "{\"content\":\"content\"}".getBytes(StandardCharsets.UTF_8))
        .update();
    database
        .sql()
        .sql(
            """
            update job set status = 'completed', finish_reason = 'stop', epoch = 1,
              ended_at = now() - cast(:ago as interval) where id = :id
            """)
        .param("ago", ago)
        .param("id", id.value())
        .update();
    return id;
  }

  public Map<String, @Nullable Object> delivery(JobId job) {
    return database
        .sql()
        .sql("select * from delivery where job_id = :job")
        .param("job", job.value())
        .query()
        .singleRow();
  }

  public long count(String from) {
    return database.sql().sql("select count(*) from " + from).query(Long.class).single();
  }

  public void run(String statement) {
    database.sql().sql(statement).update();
  }

  @Override
  public void close() {
    notifier.close();
    pool.close();
  }
}
