package dev.coatcheck.worker.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.egress.EgressResult.Response;
import dev.coatcheck.worker.raw.Conversation;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the client does by itself: nothing. */
class PlainExchangeTest extends EgressFixture {
  @Test
  void a_whole_answer_comes_back_with_its_headers_in_any_case() {
    server.play(c -> c.answer(429, "{\"x\": 1.0}", "Retry-After: 5", "X-Two: a", "x-two: b"));

    Response response = (Response) post(LONG);

    assertThat(response.status()).isEqualTo(429);
    assertThat(response.body().text()).isEqualTo("{\"x\": 1.0}");
    assertThat(response.headers().first("retry-after")).contains("5");
    assertThat(response.headers().fields().get("x-two")).containsExactly("a", "b");
    assertThat(response.duration()).isPositive();
  }

  @Test
  void the_request_goes_out_as_it_is_and_says_who_sends_it() {
    EgressRequest request =
        new EgressRequest(
            URI.create(server.uri() + "?api-version=2"),
            List.of(new Header("Authorization", "Bearer k"), new Header("X-Title", "t")),
            Body.utf8("{\"ü\": 1.0}"),
            LONG);

    assertThat(egress.exchange(request, new OutboundCall())).isInstanceOf(Response.class);

    Conversation.Request seen = server.requests().getFirst();
    assertThat(seen.line()).isEqualTo("POST /v1/chat/completions?api-version=2 HTTP/1.1");
    assertThat(seen.body()).isEqualTo("{\"ü\": 1.0}");
    assertThat(seen.header("authorization")).contains("Bearer k");
    assertThat(seen.header("user-agent")).contains("coatcheck");
    assertThat(seen.head()).doesNotContainIgnoringCase("upgrade").doesNotContain("Expect");
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void a_redirect_is_an_answer_and_not_followed(int status) {
    server.play(c -> c.answer(status, "", "Location: " + server.uri()));

    assertThat(post(LONG)).isInstanceOf(Response.class).extracting("status").isEqualTo(status);
    assertThat(server.requests()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 429, 500, 502, 503, 504})
  void no_status_makes_the_client_send_again_by_itself(int status) {
    server.otherwise(c -> c.answer(status, "", "Retry-After: 0"));

    assertThat(post(LONG)).isInstanceOf(Response.class);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void a_401_with_a_challenge_is_an_answer() {
    server.otherwise(c -> c.answer(401, "", "WWW-Authenticate: Basic realm=\"x\""));

    assertThat(post(LONG)).isInstanceOf(Response.class);
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void cookies_are_not_kept() {
    server.play(c -> c.answer(200, "", "Set-Cookie: a=b; Path=/"));

    post(LONG);
    post(LONG);

    assertThat(server.requests().getLast().header("cookie")).isEmpty();
  }

  @Test
  void a_switch_of_protocols_is_an_answer() {
    server.play(
        c -> {
          c.write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n");
          c.waitForHangUp(5_000);
        });

    assertThat(post(LONG)).isInstanceOf(Response.class).extracting("status").isEqualTo(101);
  }

  @Test
  void an_interim_answer_is_not_the_answer() {
    server.play(
        c -> {
          c.write("HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n");
          c.answer(200, "yes");
        });

    assertThat(post(LONG)).isInstanceOf(Response.class).extracting("status").isEqualTo(200);
  }

  @Test
  void the_probe_sees_each_call_open_and_close_on_its_own_thread() {
    AtomicInteger open = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    Thread me = Thread.currentThread();
    EgressProbe probe =
        new EgressProbe() {
          @Override
          public void opened() {
            assertThat(Thread.currentThread()).isEqualTo(me);
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
          }

          @Override
          public void closed() {
            assertThat(Thread.currentThread()).isEqualTo(me);
            open.decrementAndGet();
          }
        };
    server.play(c -> c.answer(200, "a"), Conversation::reset);

    try (Egress probed = Egress.open(SETTINGS, 5, probe, ResolveHost.system(LONG))) {
      EgressRequest request = new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG);
      probed.exchange(request, new OutboundCall());
      probed.exchange(request, new OutboundCall());
    }
    assertThat(open).hasValue(0);
    assertThat(most).hasValue(1);
  }

  @Test
  void nothing_secret_is_in_a_text_form() {
    assertThat(Secret.of("sk-1").toString()).isEqualTo("Secret");
    assertThat(new Header("Authorization", "sk-1").toString()).doesNotContain("sk-1");
    assertThat(Body.utf8("prompt").toString()).doesNotContain("prompt");
    assertThat(new Headers(Map.of("a", List.of("sk-1"))).toString()).doesNotContain("sk-1");
    EgressRequest request =
        new EgressRequest(URI.create("http://h/?key=sk-1"), List.of(), Body.utf8("prompt"), LONG);
    assertThat(request.toString()).doesNotContain("sk-1").doesNotContain("prompt");
  }
}
