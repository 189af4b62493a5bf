package dev.coatcheck.worker.egress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.worker.egress.EgressResult.Head;
import dev.coatcheck.worker.egress.EgressResult.Loss;
import dev.coatcheck.worker.egress.EgressResult.Lost;
import dev.coatcheck.worker.egress.EgressResult.Response;
import dev.coatcheck.worker.raw.Conversation;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/** Time runs out at the right place. */
class SlowAnswerTest extends EgressFixture {
  @Test
  void a_server_that_reads_and_never_answers_ends_at_the_timeout_and_may_have_been_reached() {
    server.play(c -> c.waitForHangUp(10_000));

    EgressResult result = post(SHORT);

    assertThat(result).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.TIMEOUT);
    assertThat(result.duration()).isBetween(SHORT, SHORT.plusSeconds(3));
  }

  @Test
  void the_socket_is_closed_at_the_timeout() throws Exception {
    CountDownLatch hungUp = new CountDownLatch(1);
    server.play(
        c -> {
          if (c.waitForHangUp(10_000)) {
            hungUp.countDown();
          }
        });

    post(SHORT);

    assertThat(hungUp.await(2, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void headers_may_take_longer_than_the_idle_limit() {
    server.play(
        c -> {
          assertThat(c.waitForHangUp(600)).isFalse();
          c.answer(200, "late");
        });

    assertThat(post(LONG)).isInstanceOf(Response.class);
  }

  @Test
  void a_stalled_body_ends_at_the_idle_limit_with_what_had_come() {
    server.play(
        c -> {
          c.write(
              Conversation.head(200, "Content-Length: 1000", "X-Request-Id: r1") + "0123456789");
          c.waitForHangUp(10_000);
        });

    EgressResult result = post(LONG);

    Head head = Objects.requireNonNull(((Lost) result).head());
    assertThat(((Lost) result).cause()).isEqualTo(Loss.IDLE);
    assertThat(head.headers().first("x-request-id")).contains("r1");
    assertThat(head.received().text()).isEqualTo("0123456789");
    assertThat(result.duration()).isBetween(Duration.ofMillis(200), Duration.ofSeconds(4));
  }

  @Test
  void a_body_that_stalls_right_after_the_headers_ends_at_the_idle_limit() {
    server.play(
        c -> {
          c.write(Conversation.head(200, "Content-Length: 1000"));
          c.waitForHangUp(10_000);
        });

    assertThat(post(LONG)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.IDLE);
  }

  @Test
  void a_trickling_body_ends_at_the_timeout() {
    server.play(
        c -> {
          c.write(Conversation.head(200, "Content-Length: 100000"));
          while (!c.waitForHangUp(50)) {
            c.write("x");
          }
        });

    EgressResult result = post(Duration.ofMillis(700));

    assertThat(result).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.TIMEOUT);
    assertThat(result.duration()).isBetween(Duration.ofMillis(700), Duration.ofSeconds(4));
  }

  @Test
  void trickling_headers_end_at_the_timeout() {
    server.play(
        c -> {
          c.write("HTTP/1.1 200 OK\r\nX-Slow: ");
          while (!c.waitForHangUp(50)) {
            c.write("x");
          }
        });

    assertThat(post(SHORT)).isInstanceOf(Lost.class).extracting("cause").isEqualTo(Loss.TIMEOUT);
  }

  @Test
  void a_body_slower_than_the_idle_limit_is_fine_while_it_moves() {
    EgressSettings patient =
        new EgressSettings(
            Duration.ofMillis(500), Duration.ofSeconds(1), DataSize.ofMegabytes(1), null, null);
    server.play(
        c -> {
          c.write(Conversation.head(200, "Content-Length: 12"));
          for (int i = 0; i < 12; i++) {
            assertThat(c.waitForHangUp(100)).isFalse();
            c.write("x");
          }
        });

    try (Egress slow = Egress.open(patient, 1, EgressProbe.inert(), ResolveHost.system(LONG))) {
      EgressRequest request = new EgressRequest(server.uri(), List.of(), Body.utf8("{}"), LONG);
      EgressResult result = slow.exchange(request, new OutboundCall());
      assertThat(((Response) result).body().text()).isEqualTo("xxxxxxxxxxxx");
    }
  }
}
