package dev.coatcheck.app.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coatcheck.app.Http;
import dev.coatcheck.app.Jobs;
import dev.coatcheck.app.RunningApp;
import dev.coatcheck.app.TcpProxy;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.json.JsonMapper;

/** The page of one job in a real browser. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JobPageTest {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final RunningApp app = RunningApp.shared();
  private final Http acme = app.as("acme");
  private final Jobs jobs = new Jobs(app.sql());
  private Chromium chromium;
  private Tab tab;

  @BeforeAll
  void start() {
    Optional<Path> binary = Chromium.installed();
    assumeTrue(binary.isPresent(), "Chromium is not installed");
    chromium = Chromium.start(binary.get());
    tab = chromium.open();
  }

  @AfterAll
  void stop() {
    if (chromium != null) {
      tab.close();
      chromium.close();
    }
  }

  @AfterEach
  void endAll() {
    tab.go("about:blank");
    app.sql().sql("delete from job").update();
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(50));
  }

  private String submitted() {
    return acme.submit("{\"model\":\"openai/gpt-5-mini\",\"prompt\":\"hi\"}").text("/id");
  }

  private String url(String id) {
    return "http://127.0.0.1:" + app.port() + "/jobs/" + id;
  }

  private void open(String id) {
    tab.go(url(id));
    enter("ck_acme");
  }

  /** Types the key once it is asked for. */
  private void enter(String key) {
    await().until(() -> tab.eval("document.getElementById('ask')?.hidden === false").asBoolean());
    tab.eval(
        "document.getElementById('key').value = %s; document.getElementById('ask').requestSubmit()"
            .formatted(JSON.writeValueAsString(key)));
  }

  private void append(String id, String type, String data) {
    jobs.append(id, type, data);
    jobs.tellOfEvents(id);
  }

  @Test
  void it_asks_for_a_key_and_says_when_that_is_wrong() {
    String id = submitted();
    tab.go(url(id));
    enter("ck_wrong");
    await().until(() -> tab.text("#why").contains("not in force"));
    enter("ck_acme");

    await().until(() -> tab.text("#status").equals("queued"));
    assertThat(tab.text("#model")).isEqualTo("openai/gpt-5-mini");
    assertThat(tab.eval("document.getElementById('key').value").asString()).isEmpty();
    assertThat(
            tab.eval(
                    "JSON.stringify([localStorage.length, sessionStorage.length, document.cookie])")
                .asString())
        .isEqualTo("[0,0,\"\"]");
    assertThat(tab.requests()).noneMatch(requested -> requested.contains("ck_"));
  }

  @Test
  void it_shows_what_happens_as_it_happens() {
    String id = submitted();
    open(id);
    await().until(() -> tab.text("#timeline").contains("Queued"));
    append(id, "job.in_progress", "{\"status\":\"in_progress\"}");
    append(id, "attempt.started", "{\"attempt\":{\"number\":1,\"turn\":1,\"state\":\"sending\"}}");
    await().until(() -> tab.text("#timeline").contains("Attempt 1"));
    append(
        id,
        "attempt.ended",
        "{\"attempt\":{\"number\":1,\"turn\":1,\"state\":\"refused\",\"http_status\":429,"
            + "\"error_code\":\"rate_limited\",\"billed\":\"no\"}}");
    append(
        id,
        "job.waiting",
        "{\"status\":\"queued\",\"status_reason\":{\"code\":\"rate_limited\","
            + "\"until\":\"2026-12-01T00:00:00.000Z\"}}");
    await().until(() -> tab.text("#timeline").contains("refused · 429 · rate limited"));
    await().until(() -> tab.text("#timeline").contains("Waiting"));
    append(id, "tool.started", "{\"tool_call\":{\"id\":\"t1\",\"turn\":1,\"name\":\"refund\"}}");
    await().until(() -> tab.text("#timeline").contains("Tool refund"));
    append(id, "output.delta", "{\"text\":\"It was \"}");
    append(id, "output.delta", "{\"text\":\"wrong\"}");
    await().until(() -> tab.text("#text").equals("It was wrong"));
    append(id, "attempt.restarted", "{\"discard_from\":8}");
    append(id, "output.delta", "{\"text\":\"right\"}");
    await().until(() -> tab.text("#text").equals("It was right"));

    jobs.complete(id, "{\"content\":\"It was right, all of it\"}");
    append(id, "job.completed", "{\"status\":\"completed\"}");
    await().until(() -> tab.text("#status").equals("completed"));
    await().until(() -> tab.text("#text").equals("It was right, all of it"));
    assertThat(tab.eval("document.querySelectorAll('[data-open=true]').length").intValue())
        .isZero();
    assertThat(tab.eval("document.querySelectorAll('#events tr').length").intValue()).isEqualTo(11);
    assertThat(tab.eval("document.title").asString()).startsWith("completed");
  }

  @Test
  void it_goes_on_where_it_was_after_the_connection_broke() {
    String id = submitted();
    try (var proxy = new TcpProxy(URI.create("http://127.0.0.1:" + app.port()))) {
      tab.go("http://127.0.0.1:" + proxy.port() + "/jobs/" + id);
      enter("ck_acme");
      await().until(() -> tab.text("#live").equals("live"));
      proxy.cut();
      await().until(() -> tab.text("#live").contains("connection lost"));
      append(id, "output.delta", "{\"text\":\"meanwhile\"}");
      proxy.heal();

      await().until(() -> tab.text("#text").equals("meanwhile"));
      assertThat(tab.eval("document.querySelectorAll('#events tr').length").intValue())
          .isEqualTo(2);
    }
  }

  @Test
  void text_beyond_its_bound_is_cut_without_a_hole_and_whole_again_after_a_restart() {
    tab.go(url(submitted()));
    await().until(() -> tab.eval("document.getElementById('ask') !== null").asBoolean());

    String shown =
        tab.eval(
                """
                import("/assets/course.js").then(({ Course }) => {
                  const course = new Course();
                  const take = (id, type, data) => course.take({ id, type, data });
                  const told = () => `${course.text.length} ${course.text.slice(-1)} ${course.cut}`;
                  take(1, "output.delta", { text: "a".repeat(600_000) });
                  take(2, "output.delta", { text: "b".repeat(600_000) });
                  take(3, "output.delta", { text: "c" });
                  const all = [told()];
                  take(4, "attempt.restarted", { discard_from: 3 });
                  all.push(told());
                  take(5, "attempt.restarted", { discard_from: 2 });
                  take(6, "output.delta", { text: "d" });
                  return [...all, told()].join(", ");
                })
                """)
            .asString();

    assertThat(shown).isEqualTo("600000 a true, 600000 a true, 600001 d false");
  }

  static Stream<String> hostile() {
    return Stream.of(
        "<script>alert('run')</script>",
        "<img src=x onerror=alert('run')>",
        "<svg/onload=alert('run')>",
        "</pre></section><script src=/assets/evil.js></script>",
        "<iframe srcdoc=\"<script>parent.alert('run')</script>\"></iframe>",
        "<a href=\"javascript:alert('run')\" autofocus onfocus=alert('run')>x</a>",
        "<style>*{display:none}</style><base href=//evil.example/>",
        "<form action=//evil.example><button formaction=javascript:alert('run')>",
        "{{constructor.constructor('alert(\"run\")')()}} ${alert('run')} #{7*7} <%= 7*7 %>",
        "\"><svg><animate onbegin=alert('run') attributeName=x dur=1s>",
        "&lt;script&gt;alert('run')&lt;/script&gt;",
        "right to left: \u202Egpj.exe\u202C and \u2066isolated\u2069 \u200F",
        "\u001b[31mred\u001b[0m \u001b]0;title\u0007 bell \b\b\b back",
        "nul \u0000 and \u009b and \ufeff and lone \ud800 and \udc00",
        "line\u2028separator\u2029and\r\ncarriage\rreturn",
        "Z\u0351\u036b\u0343\u036a".repeat(2_000),
        "data: fake\n\nid: 9\nevent: job.completed\ndata: {}\n\n",
        "]]>--><!--<![CDATA[",
        "😀👩‍👩‍👧‍👦 مرحبا שלום 你好",
        "0123456789".repeat(100_000));
  }

  @ParameterizedTest
  @MethodSource("hostile")
  void text_of_a_model_stays_text(String text) {
    String id =
        acme.submit(
                JSON.writeValueAsString(
                    Map.of(
                        "model",
                        "openai/<img src=x onerror=alert(1)>",
                        "prompt",
                        "p",
                        "metadata",
                        Map.of("<b onclick=alert(1)>", "<script>alert(1)</script>"))))
            .text("/id");
    int before = tab.complaints().size();
    open(id);
    await().until(() -> tab.text("#timeline").contains("Queued"));
    String quoted = JSON.writeValueAsString(text);
    append(id, "output.delta", "{\"text\":" + storable(quoted) + "}");
    append(
        id,
        "tool.started",
        "{\"tool_call\":{\"id\":\"t\",\"turn\":1,\"name\":" + storable(beginning(text)) + "}}");
    await().until(() -> tab.text("#timeline").contains("Tool"));
    int elements = tab.eval("document.querySelectorAll('*').length").intValue();
    jobs.complete(id, "{\"content\":" + storable(quoted) + "}");
    append(id, "job.completed", "{\"status\":\"completed\"}");
    await().until(() -> tab.text("#status").equals("completed"));
    await()
        .until(() -> tab.eval("document.getElementById('text').childNodes.length").intValue() > 0);

    assertThat(tab.dialogs()).isEmpty();
    assertThat(tab.complaints().subList(before, tab.complaints().size()))
        .filteredOn(complaint -> !complaint.contains("401"))
        .isEmpty();
    assertThat(tab.eval("document.querySelector('#text').childElementCount").intValue()).isZero();
    assertThat(
            tab.eval("document.querySelectorAll('script, img, iframe, style, base, svg, a').length")
                .intValue())
        .as("one script and one picture of our own")
        .isEqualTo(2);
    assertThat(tab.eval("document.querySelectorAll('*').length").intValue() - elements)
        .as("a row of the table of events, and a fact")
        .isLessThanOrEqualTo(14);
    assertThat(tab.requests()).allMatch(requested -> !requested.contains("evil"));
    assertThat(tab.eval("document.getElementById('text').textContent").asString())
        .doesNotContainPattern("[\\u0000-\\u0008\\u000b-\\u001f\\u202a-\\u202e\\u2066-\\u2069]");
  }

  private static String beginning(String text) {
    return JSON.writeValueAsString(text.substring(0, Math.min(200, text.length())));
  }

  /** As a worker escapes what goes into a text column. */
  private static String storable(String json) {
    var escaped = new StringBuilder();
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      boolean lone =
          Character.isSurrogate(c)
              && !(Character.isHighSurrogate(c)
                  && i + 1 < json.length()
                  && Character.isLowSurrogate(json.charAt(i + 1)))
              && !(Character.isLowSurrogate(c)
                  && i > 0
                  && Character.isHighSurrogate(json.charAt(i - 1)));
      escaped.append(lone ? "\\u%04x".formatted((int) c) : String.valueOf(c));
    }
    return escaped.toString();
  }

  @Test
  void nothing_of_it_is_inline_and_nothing_comes_from_elsewhere() {
    String policy = app.anonymous().get("/jobs/" + submitted()).header("Content-Security-Policy");

    assertThat(policy)
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe", "*", "data:");
    int before = tab.complaints().size();
    int asked = tab.requests().size();
    open(submitted());
    await().until(() -> tab.text("#live").equals("live"));
    assertThat(
            tab.requests().stream()
                .skip(asked)
                .filter(requested -> !requested.startsWith("about:")))
        .allMatch(requested -> requested.startsWith("http://127.0.0.1:" + app.port() + "/"));
    assertThat(tab.complaints().subList(before, tab.complaints().size()))
        .allMatch(complaint -> complaint.contains("401"));
  }

  @Test
  void it_is_the_same_for_every_job_and_there_is_none_for_what_is_no_id() {
    Http.Reply page = app.anonymous().get("/jobs/00000000-0000-7000-8000-000000000000");

    assertThat(page.status()).isEqualTo(200);
    assertThat(page.header("Content-Type")).isEqualTo("text/html;charset=utf-8");
    assertThat(page.body()).isEqualTo(app.anonymous().get("/jobs/" + submitted()).body());
    assertThat(acme.get("/jobs/x").status()).isEqualTo(404);
    assertThat(app.anonymous().get("/assets/none.js").status()).isEqualTo(404);
    assertThat(app.anonymous().get("/assets/job.html").status()).isEqualTo(404);
    String tag = app.anonymous().get("/assets/job.js").header("ETag");
    assertThat(app.anonymous().get("/assets/job.js", Map.of("If-None-Match", tag)).status())
        .isEqualTo(304);
  }

  @Test
  void a_job_of_another_tenant_is_not_shown() {
    String id = submitted();
    tab.go(url(id));
    enter("ck_umbrella");

    await().until(() -> tab.text("#note").contains("no such job"));
    assertThat(tab.eval("document.getElementById('job').hidden").asBoolean()).isTrue();
  }
}
