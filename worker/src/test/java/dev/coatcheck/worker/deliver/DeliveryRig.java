package dev.coatcheck.worker.deliver;

import static org.awaitility.Awaitility.await;

import dev.coatcheck.db.CommonDefaults;
import dev.coatcheck.db.event.Channel;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.Schema;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.db.time.Ids;
import dev.coatcheck.fixture.ConnectionProbe;
import dev.coatcheck.fixture.Template;
import dev.coatcheck.fixture.TestDatabase;
import dev.coatcheck.worker.WorkerApplication;
import dev.coatcheck.worker.WorkerDefaults;
import dev.coatcheck.worker.egress.EgressProbe;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A whole worker over a database of its own. Jobs with webhooks are put in, and ended, by SQL. */
final class DeliveryRig implements AutoCloseable {
  static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  static final String OLD_SECRET = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";

  private static final Template TEMPLATE = new Template("coatcheck", Schema::migrate);
  private static final Duration LONG = Duration.ofSeconds(30);

  final TestDatabase database;
  final JdbcClient sql;
  private final ConfigurableApplicationContext context;
  private final boolean owner;
  private final Ids ids = Ids.system();

  private DeliveryRig(TestDatabase database, boolean owner, @Nullable Probe probe) {
    this.database = database;
    this.owner = owner;
    this.sql = JdbcClient.create(database.dataSource());
    this.context = start(probe);
  }

  static DeliveryRig usual() {
    return new DeliveryRig(TestDatabase.create(TEMPLATE), true, null);
  }

  static DeliveryRig probed(Probe probe) {
    return new DeliveryRig(TestDatabase.create(TEMPLATE), true, probe);
  }

  /** Another worker on the same database. */
  DeliveryRig second() {
    return new DeliveryRig(database, false, null);
  }

  private ConfigurableApplicationContext start(@Nullable Probe probe) {
    var all = new HashMap<String, Object>();
    all.put("spring.datasource.url", database.jdbcUrl());
    all.put("spring.datasource.username", database.username());
    all.put("spring.datasource.password", database.password());
    all.put("coatcheck.webhooks.secret", SECRET + " " + OLD_SECRET);
    all.put("coatcheck.webhooks.allow-private-addresses", "true");
    all.put("coatcheck.worker.stop-grace", "200ms");
    all.put("server.port", "0");
    ApplicationContextInitializer<GenericApplicationContext> probing =
        started -> {
          if (probe != null) {
            started.registerBean(Probe.class, () -> probe);
          }
        };
    return new SpringApplicationBuilder(WorkerApplication.class, Watch.class)
        .properties(CommonDefaults.properties())
        .properties(WorkerDefaults.engine())
        .initializers(probing)
        .run(
            all.entrySet().stream()
                .map(property -> "--" + property.getKey() + "=" + property.getValue())
                .toArray(String[]::new));
  }

  /** Watches every connection and every outbound call of the worker. */
  @Configuration(proxyBeanMethods = false)
  static class Watch {
    @Bean
    static ConnectionProbe connectionProbe() {
      return new ConnectionProbe();
    }

    @Bean
    static BeanPostProcessor watchPools(ConnectionProbe probe) {
      return new BeanPostProcessor() {
        @Override
        public Object postProcessAfterInitialization(Object bean, String name) {
          return bean instanceof DataSource pool ? probe.watch(pool) : bean;
        }
      };
    }

    @Bean
    EgressProbe watchCalls(ConnectionProbe probe) {
      return new EgressProbe() {
        @Override
        public void opened() {
          probe.callOpened();
        }

        @Override
        public void closed() {
          probe.callClosed();
        }
      };
    }
  }

  /** A job that has an answer and a webhook, and is about to end. */
  JobId job(String url, boolean includeOutput, String message) {
    var id = new JobId(ids.next());
    sql.sql(
            """
            with new_job as (
              insert into job (id, tenant_id, idempotency_key, fingerprint, status, model, provider,
                provider_model, max_attempts, max_turns, attempt_timeout_ms, max_wait_ms, dispatch_id,
                has_webhook, deadline_at, lease_owner, lease_expires_at)
              values (:id, 'default', 'key-' || :id, '', 'in_progress', 'openai/m', 'openai', 'm',
                4, 8, 300000, 600000, :id, true, now() + interval '30 minutes', :id,
                now() + interval '1 hour')),
            answer as (
              insert into turn (job_id, number, tenant_id, attempt, message, finish_reason)
              values (:id, 1, 'default', 1, :message, 'stop'))
            insert into webhook (job_id, tenant_id, url, endpoint, include_output)
            values (:id, 'default', :url, :endpoint, :include_output)
            """)
        .param("id", id.value())
        .param("message", message.getBytes(StandardCharsets.UTF_8))
        .param("url", url)
        .param("endpoint", endpoint(url))
        .param("include_output", includeOutput)
        .update();
    return id;
  }

  private static String endpoint(String url) {
    URI uri = URI.create(url);
    return uri.getHost() + ":" + (uri.getPort() < 0 ? 80 : uri.getPort());
  }

  void end(JobId job, String status) {
    sql.sql(
            """
            update job set status = :status, ended_at = now(), lease_owner = null,
              lease_expires_at = null, epoch = epoch + 1 where id = :id
            """)
        .param("status", status)
        .param("id", job.value())
        .update();
    context.getBean(Notifier.class).send(Channel.CHANGED, job);
  }

  /** A job that has ended, with a thin webhook to that place. */
  JobId ended(String url) {
    JobId job = job(url, false, "{\"content\":\"hello\"}");
    end(job, "completed");
    return job;
  }

  Map<String, @Nullable Object> delivery(JobId job) {
    return sql.sql(
            """
            select *, extract(epoch from next_at - now()) as until_next from delivery
            where job_id = :job
            """)
        .param("job", job.value())
        .query()
        .singleRow();
  }

  List<Map<String, @Nullable Object>> tries(JobId job) {
    return sql.sql(
            """
            select delivery_attempt.* from delivery_attempt
            join delivery on delivery.id = delivery_id
            where job_id = :job order by number
            """)
        .param("job", job.value())
        .query()
        .listOfRows();
  }

  /** Waits until the delivery is in that state, and no try of it under way. */
  Map<String, @Nullable Object> awaitState(JobId job, String state, int tries) {
    await()
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> {
              Map<String, @Nullable Object> row = delivery(job);
              return state.equals(row.get("state"))
                  && Integer.valueOf(tries).equals(row.get("tries"))
                  && row.get("claimed_until") == null;
            });
    return delivery(job);
  }

  /** The time has come for its next try. */
  void bringForward(JobId job) {
    sql.sql("update delivery set next_at = now() where job_id = :job and state = 'pending'")
        .param("job", job.value())
        .update();
    context.getBean(Notifier.class).send(Channel.CHANGED, job);
  }

  /** The try that is under way has lasted too long. */
  void forfeit(JobId job) {
    sql.sql("update delivery set claimed_until = now() - interval '1 s' where job_id = :job")
        .param("job", job.value())
        .update();
  }

  /** Saw every connection and every call out. */
  ConnectionProbe connections() {
    return context.getBean(ConnectionProbe.class);
  }

  /** As SIGTERM does it. */
  void stopWorker() {
    context.close();
  }

  @Override
  public void close() {
    context.close();
    if (owner) {
      database.close();
    }
  }
}
