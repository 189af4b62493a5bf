package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The log of deliveries, and replay; what a worker would write is written by SQL. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeliveriesApiTest {
  private final RunningApp app =
      RunningApp.start("coatcheck.webhooks.secret=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
  private final Http acme = app.as("acme");

  @AfterAll
  void stop() {
    app.close();
  }

  @Test
  void a_job_without_a_webhook_has_an_empty_log() {
    String id = acme.submit("{\"model\":\"m\",\"prompt\":\"p\"}").text("/id");
    assertThat(acme.get(log(id)).body()).isEqualTo("{\"object\":\"list\",\"data\":[]}");
  }

  @Test
  void a_delivery_is_shown_with_its_tries_the_oldest_first() {
    String id = cancelled();
    String delivery = delivery(id);
    attempt(delivery, 1, "2026-11-30T00:00:00Z", 500, "the endpoint answered 500");
    attempt(delivery, 2, "2026-11-30T00:00:05Z", null, "the connection was refused");

    Http.Reply log = acme.get(log(id));
    assertThat(log.status()).isEqualTo(200);
    assertThat(log.json().at("/data/0").propertyNames())
        .containsExactly("id", "event_id", "type", "url", "state", "next_at", "attempts");
    assertThat(log.text("/data/0/id")).isEqualTo(delivery);
    assertThat(log.text("/data/0/event_id")).startsWith("evt_");
    assertThat(log.text("/data/0/type")).isEqualTo("job.cancelled");
    assertThat(log.text("/data/0/url")).isEqualTo("https://example.com/hook");
    assertThat(log.text("/data/0/state")).isEqualTo("pending");
    assertThat(log.text("/data/0/next_at")).endsWith("Z");
    assertThat(log.json().at("/data/0/attempts").toString())
        .isEqualTo(
            """
            [{"at":"2026-11-30T00:00:00.000Z","http_status":500,"error":"the endpoint answered 500"},\
            {"at":"2026-11-30T00:00:05.000Z","http_status":null,"error":"the connection was refused"}]""");
  }

  @Test
  void a_settled_delivery_is_sent_again_under_its_id_when_somebody_asks() {
    String id = cancelled();
    String delivery = delivery(id);
    String event = acme.get(log(id)).text("/data/0/event_id");
    set(
        delivery,
        "state = 'dead', next_at = null, failures = 10, dispatch_no = 10, settled_at = now()");
    assertThat(acme.get(log(id)).json().at("/data/0/next_at").isNull()).isTrue();

    Http.Reply replay = acme.post(log(id) + "/" + delivery + "/replay");
    assertThat(replay.status()).as(replay.body()).isEqualTo(202);
    assertThat(replay.text("/id")).isEqualTo(delivery);
    assertThat(replay.text("/state")).isEqualTo("pending");
    assertThat(replay.text("/event_id")).isEqualTo(event);
    assertThat(dispatches(delivery)).isEqualTo(1);

    assertThat(acme.post(log(id) + "/" + delivery + "/replay").status()).isEqualTo(202);
    assertThat(dispatches(delivery)).as("one under way is left alone").isEqualTo(1);
  }

  @Test
  void what_is_not_there_cannot_be_seen_or_sent() {
    String id = cancelled();
    String delivery = delivery(id);
    Http umbrella = app.as("umbrella");

    Problems.assertThat(umbrella.get(log(id))).is(404, "job_not_found");
    Problems.assertThat(umbrella.post(log(id) + "/" + delivery + "/replay"))
        .is(404, "job_not_found");
    Problems.assertThat(acme.get(log(UUID.randomUUID().toString()))).is(404, "job_not_found");
    Problems.assertThat(acme.get(log("x"))).is(404, "job_not_found");
    Problems.assertThat(acme.post(log(id) + "/" + UUID.randomUUID() + "/replay"))
        .is(404, "not_found");
    Problems.assertThat(acme.post(log(id) + "/x/replay")).is(404, "not_found");
    String other = cancelled();
    Problems.assertThat(acme.post(log(other) + "/" + delivery + "/replay")).is(404, "not_found");
    assertThat(dispatches(delivery)).isZero();
  }

  private String cancelled() {
    String id =
        acme.submit(
                "{\"model\":\"m\",\"prompt\":\"p\",\"webhook\":{\"url\":\"https://example.com/hook\"}}")
            .text("/id");
    assertThat(acme.post("/v1/jobs/" + id + "/cancel").status()).isEqualTo(200);
    return id;
  }

  private static String log(String id) {
    return "/v1/jobs/" + id + "/webhook_deliveries";
  }

  private String delivery(String job) {
    return app.sql()
        .sql("select id from delivery where job_id = :job")
        .param("job", UUID.fromString(job))
        .query(UUID.class)
        .single()
        .toString();
  }

  private void set(String delivery, String assignments) {
    app.sql()
        .sql("update delivery set " + assignments + " where id = :id")
        .param("id", UUID.fromString(delivery))
        .update();
  }

  private void attempt(
      String delivery,
      int number,
      String at,
      @org.jspecify.annotations.Nullable Integer status,
      String error) {
    app.sql()
        .sql(
            """
            insert into delivery_attempt (delivery_id, number, tenant_id, at, http_status, error)
            values (:id, :number, 'acme', cast(:at as timestamptz), :status, :error)
            """)
        .param("id", UUID.fromString(delivery))
        .param("number", number)
        .param("at", at)
        .param("status", status)
        .param("error", error)
        .update();
  }

  private int dispatches(String delivery) {
    return app.sql()
        .sql(
            """
            select count(*) from jobrunr_jobs
            where state = 'ENQUEUED' and jobSignature like '%RunDelivery%'
              and jobAsJson like '%' || :delivery || '%'
            """)
        .param("delivery", delivery)
        .query(Integer.class)
        .single();
  }
}
