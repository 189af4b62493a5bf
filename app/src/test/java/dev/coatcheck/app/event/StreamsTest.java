package dev.coatcheck.app.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.app.RunningApp;
import dev.coatcheck.db.intake.FindEvents;
import dev.coatcheck.db.intake.FindEvents.Followed;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.tenant.TenantId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** The streams of a process whose ear hears nothing. */
class StreamsTest {
  private static final Duration NEVER = Duration.ofHours(1);

  private final RunningApp app = RunningApp.shared();
  private final Followed job = new Followed(new TenantId("deaf"), new JobId(UUID.randomUUID()));
  private final Streams streams = new Streams(app.context().getBean(FindEvents.class));
  private final MockHttpServletResponse response = new MockHttpServletResponse();

  StreamsTest() {
    app.sql()
        .sql(
            """
            insert into job (id, tenant_id, idempotency_key, fingerprint, status, model, provider,
              provider_model, max_attempts, max_turns, attempt_timeout_ms, max_wait_ms, dispatch_id,
              deadline_at)
            values (:id, 'deaf', :id, '', 'queued', 'm', 'openai', 'm', 4, 8, 300000, 600000, :id,
              now() + interval '30 minutes')
            """)
        .param("id", job.job().value())
        .update();
  }

  @AfterEach
  void endAll() {
    streams.close();
    app.sql().sql("delete from job where id = :id").param("id", job.job().value()).update();
  }

  private Future<StreamEvents.Outcome> follow(Duration commentEvery) {
    var stream = new StreamEvents(streams, commentEvery);
    return Executors.newVirtualThreadPerTaskExecutor()
        .submit(() -> stream.stream(job, 0, new MockHttpServletRequest(), response));
  }

  private void append(String type) {
    app.sql()
        .sql(
            """
            with raised as (
              update job set events = events + 1 where id = :id returning id, tenant_id, events)
            insert into event (job_id, number, tenant_id, type, data)
            select id, events, tenant_id, :type, '{}' from raised
            """)
        .param("id", job.job().value())
        .param("type", type)
        .update();
  }

  private String written() {
    return new String(response.getContentAsByteArray(), java.nio.charset.StandardCharsets.UTF_8);
  }

  @Test
  void one_look_for_all_finds_what_no_notification_told() throws Exception {
    Future<StreamEvents.Outcome> stream = follow(NEVER);
    Awaitility.await().until(() -> streams.count() == 1);
    append("job.completed");
    streams.look();

    assertThat(stream.get()).isEqualTo(StreamEvents.Outcome.STREAMED);
    assertThat(written()).contains("id: 1\nevent: job.completed\n");
    assertThat(streams.count()).isZero();
  }

  @Test
  void a_job_that_is_removed_ends_its_streams() throws Exception {
    Future<StreamEvents.Outcome> stream = follow(NEVER);
    Awaitility.await().until(() -> streams.count() == 1);
    app.sql().sql("delete from job where id = :id").param("id", job.job().value()).update();
    streams.look();

    assertThat(stream.get()).isEqualTo(StreamEvents.Outcome.STREAMED);
  }

  @Test
  void a_gap_in_hearing_makes_every_stream_look() throws Exception {
    Future<StreamEvents.Outcome> stream = follow(NEVER);
    Awaitility.await().until(() -> written().contains("retry"));
    append("job.failed");
    streams.gap();

    assertThat(stream.get()).isEqualTo(StreamEvents.Outcome.STREAMED);
    assertThat(written()).contains("event: job.failed\n");
  }

  @Test
  void a_quiet_stream_carries_comments() {
    Future<?> _ = follow(Duration.ofMillis(20));

    Awaitility.await().until(() -> written().split(": still here\n\n", -1).length > 3);
    assertThat(written()).startsWith("retry: 1000\n\n: still here\n\n");
  }

  @Test
  void a_stream_of_a_process_that_stops_ends_at_once() throws Exception {
    Future<StreamEvents.Outcome> before = follow(NEVER);
    Awaitility.await().until(() -> streams.count() == 1);
    streams.close();

    assertThat(before.get()).isEqualTo(StreamEvents.Outcome.STREAMED);
    assertThat(follow(NEVER).get()).isEqualTo(StreamEvents.Outcome.STREAMED);
  }

  @Test
  void one_stream_too_many_of_a_tenant_is_refused_and_leaves_no_trace() throws Exception {
    List<OpenStream> all = new ArrayList<>();
    for (int i = 0; i < Streams.MOST_OF_A_TENANT; i++) {
      all.add(streams.open(job, 0).orElseThrow());
    }

    assertThat(follow(NEVER).get()).isEqualTo(StreamEvents.Outcome.FULL);
    assertThat(response.isCommitted()).isFalse();
    assertThat(streams.open(new Followed(new TenantId("other"), job.job()), 0)).isPresent();
    streams.close(all.getFirst());
    assertThat(streams.open(job, 0)).isPresent();
    assertThat(streams.count()).isEqualTo(Streams.MOST_OF_A_TENANT + 1);
  }
}
