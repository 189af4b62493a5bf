package dev.coatcheck.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.job.JobStatus;
import dev.coatcheck.db.pool.Schema;
import dev.coatcheck.fixture.DatabasePerClass;
import dev.coatcheck.fixture.Template;
import dev.coatcheck.fixture.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** Each file finds what it is there to find, and nothing in a database that is in order. */
class InvariantTest {
  @RegisterExtension
  static final DatabasePerClass DATABASE =
      DatabasePerClass.of(new Template("coatcheck", Schema::migrate));

  private static final String JOB =
      """
      insert into job (id, tenant_id, idempotency_key, fingerprint, status, model, provider, provider_model,
          max_attempts, max_turns, attempt_timeout_ms, max_wait_ms, dispatch_id, deadline_at, created_at, has_webhook)
      values ('00000000-0000-7000-8000-000000000001', 't', 'key', '\\x00', 'queued', 'm', 'p', 'm', 2, 1, 1000, 1000,
          '00000000-0000-7000-8000-000000000001', now() + interval '1 hour', now(), true);
      insert into webhook (job_id, tenant_id, url, endpoint, include_output)
      values ('00000000-0000-7000-8000-000000000001', 't', 'https://example.com/', 'example.com:443', false)
      on conflict do nothing;
      insert into job_request (job_id, tenant_id, body)
      values ('00000000-0000-7000-8000-000000000001', 't', '{}');
      insert into jobrunr_jobs (id, version, jobAsJson, jobSignature, state, createdAt, updatedAt)
      values ('00000000-0000-7000-8000-000000000001', 1, '{}', '', 'ENQUEUED', now(), now());
      """;
  private static final String RUN =
      """
      update job set status = 'in_progress', epoch = epoch + 1, lease_owner = id, started_at = now(),
        lease_expires_at = now() + interval '30 seconds';
      insert into attempt (job_id, number, tenant_id, turn, epoch, state)
      select id, 1, tenant_id, 1, epoch, 'sending' from job;
      """;
  private static final String END =
      """
      insert into turn (job_id, number, tenant_id, attempt, message, finish_reason)
      select id, 1, tenant_id, 1, '{}', 'stop' from job;
      update attempt set state = 'answered', billed = 'yes', ended_at = now();
      insert into event (job_id, number, tenant_id, type, data)
      select id, n, tenant_id, type, '{}' from job, (values (1, 'job.queued'), (2, 'job.completed')) as told(n, type);
      update job set events = 2, status = 'completed', ended_at = now(), lease_owner = null, lease_expires_at = null;
      update jobrunr_jobs set state = 'SUCCEEDED';
      insert into delivery_attempt (delivery_id, number, tenant_id, http_status) select id, 1, tenant_id, 200 from delivery;
      update delivery set state = 'delivered', tries = 1, next_at = null;
      """;

  /** A call that the job's turn asked for, and that was done. */
  private static final String CALL =
      """
      insert into tool_call (job_id, turn, ordinal, tenant_id, id, effect_key, provider_call_id, name, arguments, safety,
        state, epoch, sends, started_at, ended_at)
      select id, 1, 1, tenant_id, id, 'e', '"c"', 'refund', '{}', 'keyed', 'done', 1, 1, now(), now() from job;
      """;

  /** What breaks the promises of tools. */
  private static final Map<Invariant, List<String>> TOOL_BREAKS =
      Map.of(
          Invariant.ONE_EFFECT_PER_KEY,
          List.of(
              CALL
                  + "insert into tool_call (job_id, turn, ordinal, tenant_id, id, effect_key, provider_call_id, name, arguments, state)"
                  + " select job_id, 1, 2, tenant_id, gen_random_uuid(), 'e', '', '', '', 'pending' from tool_call",
              CALL + "update tool_call set epoch = null",
              CALL + "update tool_call set state = 'running', ended_at = null, sends = 0",
              CALL
                  + "update tool_call set safety = 'transactional', state = 'running', ended_at = null",
              CALL + "update tool_call set safety = 'transactional', sends = 2",
              CALL + "update tool_call set ended_at = null"),
          Invariant.IN_DOUBT_WAITS,
          List.of(
              CALL + "update tool_call set safety = 'at-most-once', reply_lost = true",
              CALL + "update tool_call set state = 'in_doubt'",
              CALL + "update job set status = 'requires_action', ended_at = null"),
          Invariant.CALLS_FOLLOW_THEIR_TURN,
          List.of(
              CALL + "update tool_call set turn = 2",
              CALL + "update tool_call set recorded_at = now() - interval '1 second'",
              CALL + "update tool_call set started_at = now() - interval '1 second'",
              CALL + "update tool_call set ordinal = 2",
              CALL
                  + "insert into attempt (job_id, number, tenant_id, turn, epoch, state, sent_at)"
                  + " select job_id, 2, tenant_id, 2, 1, 'answered', now() - interval '1 second' from attempt",
              CALL
                  + "update tool_call set ended_at = null, state = 'running';"
                  + " insert into attempt (job_id, number, tenant_id, turn, epoch, state)"
                  + " select job_id, 2, tenant_id, 2, 1, 'answered' from attempt"));

  /** What breaks each of the others, done to the ended job. */
  private static final Map<Invariant, List<String>> JOB_BREAKS =
      Map.of(
          Invariant.ENDED_IN_TIME,
          List.of(
              "update job set ended_at = deadline_at + interval '61 seconds'",
              "update job set status = 'queued', ended_at = null, deadline_at = now() - interval '61 seconds'"),
          Invariant.ONE_OUTCOME,
          List.of(
              "update job set status = 'queued'",
              "update job set ended_at = null",
              "update job set lease_owner = id",
              "update job set status = 'in_progress', ended_at = null",
              "update job set error_code = 'billing'",
              "update job set status = 'failed'",
              "delete from turn",
              "update job set status = 'expired', error_code = 'deadline_exceeded'"),
          Invariant.ONE_JOB_PER_KEY,
          List.of("delete from job_request"),
          Invariant.TURNS_WERE_ANSWERED,
          List.of(
              "update attempt set state = 'refused'",
              "delete from attempt",
              "update turn set number = 2; update attempt set turn = 2"),
          Invariant.ATTEMPTS_IN_BOUNDS,
          List.of(
              "delete from turn",
              "update attempt set sent_at = now() + interval '2 hours'",
              "update attempt set sent_at = now() + interval '1 minute'",
              "insert into attempt (job_id, number, tenant_id, turn, epoch, state) select job_id, n, tenant_id, 1, 1, 'refused' from attempt, generate_series(2, 3) n",
              "insert into attempt (job_id, number, tenant_id, turn, epoch, state) select job_id, 2, tenant_id, 1, 1, 'answered' from attempt"),
          Invariant.NOTHING_STRANDED,
          List.of(
              "update job set status = 'in_progress', ended_at = null, lease_expires_at = now() - interval '121 seconds'",
              "update job set status = 'queued', ended_at = null, created_at = now() - interval '121 seconds'",
              "update job set status = 'queued', ended_at = null, wake_at = now() + interval '1 minute', created_at = now() - interval '121 seconds'",
              "delete from jobrunr_jobs; update job set status = 'queued', ended_at = null, wake_at = now(), created_at = now() - interval '121 seconds'",
              "update job set ended_at = ended_at - interval '121 seconds'; update jobrunr_jobs set state = 'ENQUEUED'",
              """
              update job set ended_at = ended_at - interval '121 seconds';
              update jobrunr_jobs set state = 'SCHEDULED', scheduledAt = now() at time zone 'UTC' - interval '121 seconds'
              """),
          Invariant.UNKNOWN_IS_NEVER_FREE,
          List.of(
              "update attempt set state = 'sending'",
              "update attempt set billed = 'unknown'",
              "update attempt set state = 'indeterminate'",
              "update attempt set state = 'unreachable'",
              "update attempt set ended_at = null"),
          Invariant.EVENTS_IN_ORDER,
          List.of(
              "delete from event where number = 1",
              "update event set number = 0 where number = 1",
              "update job set events = 3",
              "update event set type = 'job.waiting' where number = 2",
              "update event set type = 'job.failed' where number = 1",
              "update job set status = 'queued', ended_at = null"));

  /** What breaks those that the audit's triggers see. */
  private static final Map<Invariant, List<String>> MOVE_BREAKS =
      Map.of(
          Invariant.ONLY_ALLOWED_MOVES,
          List.of(
              "update job set status = 'failed'",
              "update job set status = 'queued'; update job set status = 'completed'"),
          Invariant.ENDED_JOBS_NEVER_CHANGE,
          List.of(
              "update job set status = 'failed'",
              "update job set error_code = 'billing'",
              "update job set ended_at = ended_at + interval '1 second'",
              "update turn set message = '[]'",
              "delete from turn"),
          Invariant.NO_STALE_WRITE,
          List.of(
              "update job set epoch = epoch - 1",
              "update job set status = 'queued'; update job set status = 'in_progress'",
              "update job set status = 'in_progress'; update job set status = 'cancelled'",
              "update job set status = 'in_progress'; update job set status = 'queued', deaths = deaths + 1",
              "insert into attempt (job_id, number, tenant_id, turn, epoch, state) select id, 2, tenant_id, 1, epoch, 'sending' from job",
              "update job set epoch = epoch + 1; insert into turn (job_id, number, tenant_id, attempt, message) select id, 2, tenant_id, 1, '' from job"));

  /** What breaks the promise of webhooks. */
  private static final Map<Invariant, List<String>> WEBHOOK_BREAKS =
      Map.of(
          Invariant.WEBHOOKS_DELIVERED,
          List.of(
              "delete from delivery",
              "insert into delivery (job_id, tenant_id, event_id, type, endpoint, state) select job_id, tenant_id, 'evt_2', type, endpoint, 'dead' from delivery",
              "insert into delivery (job_id, tenant_id, event_id, type, endpoint, state, tries) select job_id, tenant_id, event_id, 'job.requires_action', endpoint, 'pending', 0 from delivery",
              "delete from delivery_attempt",
              "update delivery_attempt set http_status = 500",
              "update delivery set state = 'pending', next_at = now() - interval '121 seconds'",
              "delete from delivery_attempt; update delivery set state = 'dead', tries = 0"));

  private static final Map<Invariant, List<String>> BREAKS = new EnumMap<>(JOB_BREAKS);

  static {
    BREAKS.putAll(MOVE_BREAKS);
    BREAKS.putAll(TOOL_BREAKS);
    BREAKS.putAll(WEBHOOK_BREAKS);
  }

  private Connection connection;
  private JdbcClient database;

  @BeforeEach
  void begin() throws Exception {
    TestDatabase place = DATABASE.get();
    connection = DriverManager.getConnection(place.jdbcUrl(), place.username(), place.password());
    connection.setAutoCommit(false);
    database = JdbcClient.create(new SingleConnectionDataSource(connection, true));
    Invariant.installAudit(database);
  }

  @AfterEach
  void undo() throws Exception {
    connection.rollback();
    connection.close();
  }

  private void run(String sql) throws Exception {
    try (var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @ParameterizedTest
  @EnumSource
  void it_holds_for_a_job_from_its_submit_to_its_end(Invariant invariant) throws Exception {
    for (var step : List.of("", JOB, RUN, END)) {
      run(step);
      assertThat(invariant.broken(database)).as(step).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void it_finds_what_breaks_it(Invariant invariant) throws Exception {
    run(JOB + RUN + END);
    for (var fault : BREAKS.getOrDefault(invariant, List.of())) {
      var before = connection.setSavepoint();
      run(fault);
      assertThat(invariant.broken(database)).as(fault).isNotEmpty();
      connection.rollback(before);
    }
    assertThat(BREAKS).containsKey(invariant);
  }

  @Test
  void every_move_is_allowed_or_not_as_the_states_say() throws Exception {
    for (JobStatus from : JobStatus.values()) {
      for (JobStatus to : JobStatus.values()) {
        run(
            JOB
                + "update job set status = '%s'; delete from coatcheck_audit.job_move;"
                    .formatted(from.text()));
        run("update job set status = '%s'".formatted(to.text()));
        assertThat(Invariant.ONLY_ALLOWED_MOVES.broken(database).isEmpty())
            .as("%s to %s", from, to)
            .isEqualTo(from == to || from.next().contains(to));
        connection.rollback();
        Invariant.installAudit(database);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void it_holds_for_a_job_with_a_tool_that_was_run(Invariant invariant) throws Exception {
    run(JOB + RUN + END + CALL);
    assertThat(invariant.broken(database)).isEmpty();
  }

  /** The unique index stands in the way of a second one. */
  @Test
  void two_jobs_of_one_key_are_found() throws Exception {
    run(JOB + "alter table job drop constraint job_tenant_id_idempotency_key_key;");
    run(JOB.replace("0000000001'", "0000000002'"));
    assertThat(Invariant.ONE_JOB_PER_KEY.broken(database))
        .singleElement()
        .asString()
        .contains("several jobs");
  }

  /** To forget what an ended job said is no change of what it did. */
  @Test
  void erasing_and_removing_break_nothing() throws Exception {
    run(JOB + RUN + END + CALL);
    for (var step :
        List.of(
            """
            update job set erased_at = now(), error_message = null;
            delete from job_request; update turn set message = null; update event set data = '{}';
            update tool_call set arguments = 'null', result = null;
            """,
            """
            delete from job; delete from turn; delete from attempt; delete from tool_call; delete from event;
            delete from webhook; delete from delivery; delete from delivery_attempt;
            """)) {
      run(step);
      for (var invariant : Invariant.values()) {
        assertThat(invariant.broken(database)).as(invariant + step).isEmpty();
      }
    }
  }

  @Test
  void every_file_is_run() throws Exception {
    var directory = Path.of("../../docs/invariants");
    try (var files = Files.walk(directory)) {
      var there =
          files
              .filter(file -> file.toString().endsWith(".sql"))
              .map(file -> directory.relativize(file).toString())
              .filter(file -> !file.equals(Invariant.AUDIT))
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(there)
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(Invariant.values()).map(Invariant::file).toList());
    }
  }
}
