package dev.coatcheck.worker.run;

import dev.coatcheck.db.CommonDefaults;
import dev.coatcheck.db.dispatch.Dispatch;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.dispatch.Slots;
import dev.coatcheck.db.event.Connector;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.intake.CancelJob;
import dev.coatcheck.db.intake.InTime;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.pool.Schema;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.time.Ids;
import dev.coatcheck.db.time.Pause;
import dev.coatcheck.fixture.ConnectionProbe;
import dev.coatcheck.fixture.Template;
import dev.coatcheck.fixture.TestDatabase;
import dev.coatcheck.simulator.Simulator;
import dev.coatcheck.worker.WorkerApplication;
import dev.coatcheck.worker.WorkerDefaults;
import dev.coatcheck.worker.egress.EgressProbe;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/**
 * A whole worker over a database of its own and the simulator. Jobs are put in as intake would, by
 * SQL; every connection and every outbound call is watched.
 */
final class Rig implements AutoCloseable {
  static final Template TEMPLATE = new Template("coatcheck", Schema::migrate);
  private static final Duration LONG = Duration.ofSeconds(30);

  final Simulator simulator;
  final Place place;
  final ConfigurableApplicationContext context;
  final ConnectionProbe probe;
  final EngineDatabase engine;
  private final Dispatches dispatches;
  private final Ids ids = Ids.system();

  /** What of a job a test cares for; the rest is as intake's defaults have it. */
  record Terms(
      int maxAttempts,
      Duration attemptTimeout,
      Duration maxWait,
      Duration deadline,
      String provider,
      int maxTurns) {
    static Terms usual() {
      return new Terms(
          4, Duration.ofMinutes(5), Duration.ofMinutes(10), Duration.ofMinutes(30), "openai", 8);
    }

    Terms attempts(int most) {
      return new Terms(most, attemptTimeout, maxWait, deadline, provider, maxTurns);
    }

    Terms timeout(Duration timeout) {
      return new Terms(maxAttempts, timeout, maxWait, deadline, provider, maxTurns);
    }

    Terms maxWait(Duration longest) {
      return new Terms(maxAttempts, attemptTimeout, longest, deadline, provider, maxTurns);
    }

    Terms provider(String name) {
      return new Terms(maxAttempts, attemptTimeout, maxWait, deadline, name, maxTurns);
    }

    Terms turns(int most) {
      return new Terms(maxAttempts, attemptTimeout, maxWait, deadline, provider, most);
    }

    Terms deadline(Duration length) {
      return new Terms(maxAttempts, attemptTimeout, maxWait, length, provider, maxTurns);
    }
  }

  /** A worker with these tools; {@code ${TOOL_URL}} is the simulator's. */
  static Rig withTools(String tools, Probe told) {
    return withTools(Place.fresh(), tools, Map.of(), told);
  }

  static Rig withTools(Place place, String tools, Map<String, Object> properties, Probe told) {
    try {
      Path file = Files.createTempFile("tools", ".json");
      file.toFile().deleteOnExit();
      Files.writeString(file, tools);
      var all = new HashMap<String, Object>(properties);
      all.put("coatcheck.tools-file", file);
      return new Rig(place, all, told);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where the worker's database is, and how to be rid of it. */
  record Place(String url, String username, String password, Runnable drop) {
    static Place fresh() {
      TestDatabase database = TestDatabase.create(TEMPLATE);
      return new Place(
          database.jdbcUrl(), database.username(), database.password(), database::close);
    }

    /** The same, for another worker that leaves it in place. */
    Place kept() {
      return new Place(url, username, password, () -> {});
    }

    JdbcClient sql() {
      return JdbcClient.create(new DriverManagerDataSource(url, username, password));
    }
  }

  Rig(Map<String, Object> properties) {
    this(Place.fresh(), properties);
  }

  Rig(Place place, Map<String, Object> properties) {
    this(place, properties, Probe.inert());
  }

  private Rig(Place place, Map<String, Object> properties, Probe told) {
    this.simulator = Simulator.start();
    this.place = place;
    this.context = start(properties, told);
    this.probe = context.getBean(ConnectionProbe.class);
    this.engine = context.getBean(EngineDatabase.class);
    this.dispatches = context.getBean(Dispatches.class);
  }

  static Rig usual() {
    return new Rig(Map.of());
  }

  /** A worker that tells this probe how far it has come. */
  static Rig probed(Map<String, Object> properties, Probe told) {
    return new Rig(Place.fresh(), properties, told);
  }

  private ConfigurableApplicationContext start(Map<String, Object> properties, Probe told) {
    var all = new HashMap<String, Object>();
    all.put("spring.datasource.url", place.url());
    all.put("spring.datasource.username", place.username());
    all.put("spring.datasource.password", place.password());
    all.put("coatcheck.providers.openai.base-url", simulator.baseUrl());
    all.put("coatcheck.providers.openai.api-key", "sk-test-canary");
    all.put("coatcheck.providers.anthropic.base-url", simulator.url("/"));
    all.put("server.port", "0");
    all.put("TOOL_URL", simulator.url("/tools"));
    all.putAll(properties);
    return new SpringApplicationBuilder(WorkerApplication.class, Watch.class)
        .initializers(
            (GenericApplicationContext beans) ->
                beans.registerBean("toldProbe", Probe.class, () -> told))
        .properties(CommonDefaults.properties())
        .properties(WorkerDefaults.engine())
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
    EgressProbe watchCalls(ConnectionProbe probe, Probe told) {
      return new EgressProbe() {
        @Override
        public void opened() {
          probe.callOpened();
        }

        @Override
        public void closed() {
          probe.callClosed();
        }

        @Override
        public void reach(Checkpoint point) {
          told.reach(point);
        }
      };
    }
  }

  JobId submit(String prompt) {
    return submit(prompt, Terms.usual());
  }

  JobId submit(String prompt, Terms terms) {
    return submitBody("{\"prompt\":\"" + prompt + "\"}", terms);
  }

  JobId submitBody(String body, Terms terms) {
    var id = new JobId(ids.next());
    engine
        .transaction()
        .executeWithoutResult(
            status -> {
              insert(id, body, terms);
              dispatches.create(
                  new Dispatch(id, 1, "openai/m", "key-" + id, TenantId.DEFAULT, terms.provider()));
            });
    dispatches.announce(id);
    return id;
  }

  private void insert(JobId id, String body, Terms terms) {
    engine
        .sql()
        .sql(
            """
            with new_job as (
              insert into job (id, tenant_id, idempotency_key, fingerprint, status, model, provider,
                provider_model, max_attempts, max_turns, attempt_timeout_ms, max_wait_ms, dispatch_id,
                deadline_at)
              values (:id, 'default', 'key-' || :id, '', 'queued', 'openai/m', :provider, 'm',
                :max_attempts, :max_turns, :attempt_timeout_ms, :max_wait_ms, :id,
                now() + :deadline_ms * interval '1 millisecond'))
            insert into job_request (job_id, tenant_id, body) values (:id, 'default', :body)
            """)
        .param("id", id.value())
        .param("body", body.getBytes(StandardCharsets.UTF_8))
        .param("provider", terms.provider())
        .param("max_attempts", terms.maxAttempts())
        .param("max_turns", terms.maxTurns())
        .param("attempt_timeout_ms", terms.attemptTimeout().toMillis())
        .param("max_wait_ms", terms.maxWait().toMillis())
        .param("deadline_ms", terms.deadline().toMillis())
        .update();
  }

  /** Reads with a connection of its own, when the worker is gone. */
  Look look() {
    return new Look(place.sql());
  }

  /** Looks at the database without the worker. */
  record Look(JdbcClient sql) {
    Map<String, @Nullable Object> job(JobId id) {
      return sql.sql("select * from job where id = :id")
          .param("id", id.value())
          .query()
          .singleRow();
    }

    List<Map<String, @Nullable Object>> attempts(JobId id) {
      return sql.sql("select * from attempt where job_id = :id order by number")
          .param("id", id.value())
          .query()
          .listOfRows();
    }

    List<Map<String, @Nullable Object>> calls(JobId id) {
      return sql.sql("select * from tool_call where job_id = :id order by turn, ordinal")
          .param("id", id.value())
          .query()
          .listOfRows();
    }
  }

  /** As the web tier does it. */
  void cancel(JobId job) {
    cancel(job, context.getBean(Notifier.class));
  }

  /** As a web tier does it that tells nobody. */
  void cancelUnheard(JobId job) {
    Connector broken =
        () -> {
          throw new SQLException("the notification is lost");
        };
    try (var notifier = new Notifier(broken, Pause.REAL)) {
      cancel(job, notifier);
    }
  }

  private void cancel(JobId job, Notifier notifier) {
    var web = new WebDatabase(engine.sql(), engine.transaction(), Probe.inert());
    try (var inTime = new InTime(Executors.newVirtualThreadPerTaskExecutor())) {
      new CancelJob(web, dispatches, notifier, inTime).cancel(TenantId.DEFAULT, job);
    }
  }

  Map<String, @Nullable Object> job(JobId id) {
    return engine
        .sql()
        .sql("select * from job where id = :id")
        .param("id", id.value())
        .query()
        .singleRow();
  }

  String status(JobId id) {
    return String.valueOf(job(id).get("status"));
  }

  List<Map<String, @Nullable Object>> attempts(JobId id) {
    return engine
        .sql()
        .sql("select * from attempt where job_id = :id order by number")
        .param("id", id.value())
        .query()
        .listOfRows();
  }

  List<Map<String, @Nullable Object>> calls(JobId id) {
    return new Look(engine.sql()).calls(id);
  }

  /** Waits until the job has ended; returns its row. */
  Map<String, @Nullable Object> ended(JobId id) {
    Awaitility.await()
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> job(id).get("ended_at") != null);
    return job(id);
  }

  void awaitStatus(JobId id, String status) {
    Awaitility.await()
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(20))
        .until(() -> status(id).equals(status));
  }

  long count(String condition) {
    return engine
        .sql()
        .sql("select count(*) from job where " + condition)
        .query(Long.class)
        .single();
  }

  Slots slots() {
    return context.getBean(Slots.class);
  }

  @Override
  public void close() {
    context.close();
    simulator.close();
    place.drop().run();
  }
}
