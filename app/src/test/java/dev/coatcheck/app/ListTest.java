package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ListTest {
  private final RunningApp app = RunningApp.start();
  private final Http acme = app.as("acme");
  private final List<String> ids = new ArrayList<>();

  @BeforeAll
  void submit() {
    for (int i = 0; i < 5; i++) {
      String metadata =
          "{\"order\":\"%d\",\"team\":\"%s\",\"odd\":\"\\u0000é\"}"
              .formatted(4711 + i, i < 3 ? "a" : "b");
      ids.addFirst(
          acme.submit(
                  "{\"model\":\"openai/m%d\",\"prompt\":\"hi\",\"metadata\":%s}"
                      .formatted(i % 2, metadata))
              .text("/id"));
    }
    app.as("umbrella").submit("{\"model\":\"openai/m0\",\"prompt\":\"theirs\"}");
    new Jobs(app.sql()).complete(ids.get(1), "{\"content\":\"long\"}");
    UUID old = new UUID(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli() << 16, 0);
    app.sql()
        .sql("update job set id = :old, created_at = '2026-01-01T00:00:00Z' where id = :id")
        .param("old", old)
        .param("id", UUID.fromString(ids.get(4)))
        .update();
    ids.set(4, old.toString());
  }

  @AfterAll
  void stop() {
    app.close();
  }

  @Test
  void the_newest_come_first_and_foreign_ones_not_at_all() {
    Http.Reply list = acme.get("/v1/jobs");

    assertThat(list.status()).isEqualTo(200);
    assertThat(list.text("/object")).isEqualTo("list");
    assertThat(idsOf(list)).isEqualTo(ids);
    assertThat(list.text("/first_id")).isEqualTo(ids.getFirst());
    assertThat(list.text("/last_id")).isEqualTo(ids.getLast());
    assertThat(list.json().at("/has_more").booleanValue()).isFalse();
  }

  @Test
  void items_leave_out_what_may_be_long() {
    assertThat(acme.get("/v1/jobs?status=completed").json().at("/data/0").propertyNames())
        .contains("id", "status", "usage", "error", "metadata")
        .doesNotContain("output", "output_text", "attempts", "tool_calls");
  }

  @Test
  void pages_follow_each_other_without_gap_or_overlap() {
    var seen = new ArrayList<String>();
    Http.Reply page = acme.get("/v1/jobs?limit=2");
    seen.addAll(idsOf(page));
    while (page.json().at("/has_more").booleanValue()) {
      page = acme.get("/v1/jobs?limit=2&after=" + page.text("/last_id"));
      seen.addAll(idsOf(page));
    }

    assertThat(seen).isEqualTo(ids);
  }

  @Test
  void an_empty_page_has_no_ids() {
    Http.Reply list = acme.get("/v1/jobs?status=expired");

    assertThat(list.body())
        .isEqualTo(
            "{\"object\":\"list\",\"data\":[],\"first_id\":null,\"last_id\":null,\"has_more\":false}");
  }

  @Test
  void filters_narrow_the_list() {
    assertThat(idsOf(acme.get("/v1/jobs?status=completed"))).containsExactly(ids.get(1));
    assertThat(idsOf(acme.get("/v1/jobs?model=openai/m1"))).containsExactly(ids.get(1), ids.get(3));
    assertThat(idsOf(acme.get("/v1/jobs?metadata[order]=4711"))).containsExactly(ids.get(4));
    assertThat(idsOf(acme.get("/v1/jobs?metadata%5Border%5D=4711"))).containsExactly(ids.get(4));
    assertThat(idsOf(acme.get("/v1/jobs?metadata[team]=a&metadata[order]=4712")))
        .containsExactly(ids.get(3));
    assertThat(idsOf(acme.get("/v1/jobs?metadata[team]=b&metadata[order]=4712"))).isEmpty();
    assertThat(idsOf(acme.get("/v1/jobs?metadata[odd]=%00%C3%A9"))).hasSize(5);
    assertThat(idsOf(acme.get("/v1/jobs?metadata[team]=a&limit=1"))).containsExactly(ids.get(2));
  }

  @Test
  void times_bound_the_list() {
    assertThat(idsOf(acme.get("/v1/jobs?created_before=2026-02-01T00:00:00Z")))
        .containsExactly(ids.get(4));
    assertThat(idsOf(acme.get("/v1/jobs?created_after=2026-02-01T00:00:00Z"))).hasSize(4);
    assertThat(idsOf(acme.get("/v1/jobs?created_after=2026-02-01T00:00:00+00:00"))).hasSize(4);
    assertThat(
            idsOf(
                acme.get(
                    "/v1/jobs?created_after="
                        + URLEncoder.encode("2026-02-01T00:00:00+00:00", StandardCharsets.UTF_8))))
        .hasSize(4);
  }

  @ParameterizedTest
  @CsvSource({
    "limit=0, limit",
    "limit=101, limit",
    "limit=x, limit",
    "limit=-1, limit",
    "status=done, status",
    "created_after=yesterday, created_after",
    "created_before=, created_before",
    "created_after=2026-02-01T00:00Z, created_after",
    "created_after=2026-02-30T00:00:00Z, created_after",
    "after=1, after",
    "after=0199a8f2-0000-7000-8000-000000000000, after",
    "offset=3, offset",
    "tenant=umbrella, tenant",
    "metadata=x, metadata",
    "limit=1&limit=2, limit",
    "metadata[a]=1&metadata[a]=2, metadata[a]"
  })
  void what_a_query_cannot_say_is_refused_by_name(String query, String path) {
    Http.Reply reply = acme.get("/v1/jobs?" + query);

    Problems.assertThat(reply).is(400, "invalid_request").at(path);
    assertThat(reply.text("/detail")).contains(path);
  }

  @ParameterizedTest
  @CsvSource({
    "model=%00, model",
    "model=openai/m%00x, model",
    "created_after=%2B999999999-12-31T23:59:59Z, created_after",
    "created_before=-999999999-01-01T00:00:00Z, created_before",
    "created_before=%2B300000-01-01T00:00:00Z, created_before"
  })
  void what_the_database_has_no_value_for_is_refused_by_name(String query, String path) {
    Problems.assertThat(acme.get("/v1/jobs?" + query)).is(400, "invalid_request").at(path);
  }

  @Test
  void the_first_and_the_last_year_bound_the_list_too() {
    assertThat(idsOf(acme.get("/v1/jobs?created_after=0000-01-01T00:00:00%2B18:00"))).hasSize(5);
    assertThat(idsOf(acme.get("/v1/jobs?created_before=9999-12-31T23:59:59-18:00"))).hasSize(5);
    assertThat(idsOf(acme.get("/v1/jobs?created_after=9999-12-31T23:59:59.999999999z"))).isEmpty();
  }

  @Test
  void a_foreign_cursor_is_unknown() {
    Problems.assertThat(app.as("umbrella").get("/v1/jobs?after=" + ids.getFirst()))
        .is(400, "invalid_request")
        .at("after");
  }

  private static List<String> idsOf(Http.Reply list) {
    assertThat(list.status()).as(list.body()).isEqualTo(200);
    var ids = new ArrayList<String>();
    list.json().at("/data").forEach(job -> ids.add(job.at("/id").asString()));
    return ids;
  }
}
