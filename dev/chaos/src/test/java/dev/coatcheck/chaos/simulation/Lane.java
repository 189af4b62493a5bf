package dev.coatcheck.chaos.simulation;

import dev.coatcheck.chaos.Invariant;
import dev.coatcheck.db.call.AwaitPeople;
import dev.coatcheck.db.call.CallStores;
import dev.coatcheck.db.call.ClaimCall;
import dev.coatcheck.db.call.LoadCalls;
import dev.coatcheck.db.call.LoadTurns;
import dev.coatcheck.db.call.RecordCall;
import dev.coatcheck.db.call.RunSql;
import dev.coatcheck.db.call.WakeJob;
import dev.coatcheck.db.dispatch.DispatchStorage;
import dev.coatcheck.db.dispatch.Dispatches;
import dev.coatcheck.db.dispatch.Slots;
import dev.coatcheck.db.event.Connector;
import dev.coatcheck.db.event.Notifier;
import dev.coatcheck.db.intake.CancelJob;
import dev.coatcheck.db.intake.DecideCall;
import dev.coatcheck.db.intake.InTime;
import dev.coatcheck.db.intake.IntakeConfiguration;
import dev.coatcheck.db.intake.OpenJobLimit;
import dev.coatcheck.db.intake.SubmitJob;
import dev.coatcheck.db.pool.EngineDatabase;
import dev.coatcheck.db.pool.Schema;
import dev.coatcheck.db.pool.WebDatabase;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.fixture.Template;
import dev.coatcheck.fixture.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.utils.mapper.JsonMapperFactory;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A database, and the stores over it, for one history after the other. The stores keep nothing
 * between calls, so all processes of a history share them.
 */
final class Lane implements AutoCloseable {
  static final Connector NOBODY_LISTENS =
      () -> {
        throw new SQLException("nobody listens");
      };

  /** More than all processes of a history run at once: they share the stores. */
  private static final int STATEMENTS = 100;

  private static final Template TEMPLATE = new Template("simulation", Lane::prepare);

  private final TestDatabase place = TestDatabase.create(TEMPLATE);
  private final Told told = new Told();
  private final Notifier deaf = new Notifier(NOBODY_LISTENS, length -> {});
  private final AnnotationConfigApplicationContext web;
  final SimulatedDatabase database;
  final EngineDatabase engine;
  final Dispatches dispatches;
  final CallStores calls;
  private final String clearAll;

  Lane() throws SQLException {
    this.database = new SimulatedDatabase(place.jdbcUrl(), place.username(), place.password());
    this.engine = engine(database);
    this.dispatches = dispatches(database);
    this.calls = calls();
    this.web = web();
    this.clearAll = clearAll(database.outside());
  }

  /** The schema as it is migrated, a clock of ours in place of the server's, and the audit. */
  private static void prepare(DataSource empty) throws SQLException {
    Schema.migrate(empty);
    try (Connection connection = empty.getConnection();
        var statement = connection.createStatement()) {
      statement.execute(
          """
          create schema sim;
          create sequence sim.clock;
          create table sim.effect (effect_key text not null, step text not null);
          create function sim.now() returns timestamptz language sql stable as $$
            select timestamptz '2026-01-01 00:00:00Z' + last_value * interval '1 microsecond' from sim.clock $$;
          create function sim.clock_timestamp() returns timestamptz language sql stable as $$
            select timestamptz '2026-01-01 00:00:00Z' + last_value * interval '1 microsecond' from sim.clock $$;
          do $$
          declare col record;
          begin
            for col in select table_name, column_name from information_schema.columns
              where table_schema = 'public' and column_default = 'now()'
            loop
              execute format('alter table public.%I alter column %I set default sim.now()', col.table_name, col.column_name);
            end loop;
          end $$;
          set search_path = sim, pg_catalog, public;
          """);
      Invariant.installAudit(JdbcClient.create(new SingleConnectionDataSource(connection, true)));
    }
  }

  private EngineDatabase engine(DataSource source) {
    return new EngineDatabase(
        JdbcClient.create(source),
        new TransactionTemplate(new JdbcTransactionManager(source)),
        told);
  }

  private Dispatches dispatches(DataSource source) {
    var storage =
        new DispatchStorage(
            source,
            new JobMapper(JsonMapperFactory.createJsonMapper()),
            Slots.none(),
            InstantSource.system());
    return new Dispatches(storage, deaf);
  }

  private CallStores calls() {
    var wake = new WakeJob(engine.sql(), engine.transaction(), dispatches, deaf);
    return new CallStores(
        new LoadCalls(engine),
        new LoadTurns(engine),
        new ClaimCall(engine, deaf),
        new RecordCall(engine, wake, deaf),
        new RunSql(engine, database, deaf, STATEMENTS),
        new AwaitPeople(engine, deaf));
  }

  private AnnotationConfigApplicationContext web() {
    var context = new AnnotationConfigApplicationContext();
    context.registerBean("pool", DataSource.class, () -> database);
    context.registerBean(
        WebDatabase.class, () -> new WebDatabase(engine.sql(), engine.transaction(), told));
    context.registerBean("webDispatches", Dispatches.class, () -> dispatches);
    context.registerBean(Notifier.class, () -> deaf);
    context.registerBean(OpenJobLimit.class, () -> new OpenJobLimit(Long.MAX_VALUE));
    context.registerBean(InTime.class, () -> new InTime(new SameThread()));
    context.register(IntakeConfiguration.class);
    context.refresh();
    return context;
  }

  SubmitJob submit() {
    return web.getBean(SubmitJob.class);
  }

  CancelJob cancel() {
    return web.getBean(CancelJob.class);
  }

  DecideCall decide() {
    return web.getBean(DecideCall.class);
  }

  Probe probe() {
    return told;
  }

  Notifier notifier() {
    return deaf;
  }

  /** The history that is under way from now on. */
  void attend(World world) {
    database.attend(world.schedule);
    told.tell(world.probe);
  }

  /** Leaves nothing for the next history. */
  void clear() {
    told.tell(Probe.inert());
    // No trigger is to see it.
    int _ =
        database
            .outside()
            .sql(
                "set coatcheck.grace = ''; set session_replication_role = replica; "
                    + clearAll
                    + "; reset session_replication_role")
            .update();
  }

  private static String clearAll(JdbcClient outside) {
    return String.join(
        ";",
        outside
            .sql(
                """
            select format('delete from %I.%I', schemaname, tablename) from pg_tables
            where schemaname in ('coatcheck_audit', 'sim')
              or schemaname = 'public' and tablename not like 'jobrunr\\_%' and tablename <> 'flyway_schema_history'
              or tablename = 'jobrunr_jobs'
            """)
            .query((row, number) -> row.getString(1))
            .list());
  }

  @Override
  public void close() throws SQLException {
    web.close();
    deaf.close();
    database.close();
    place.close();
  }
}
