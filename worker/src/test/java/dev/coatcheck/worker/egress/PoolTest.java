package dev.coatcheck.worker.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.worker.egress.EgressResult.Aborted;
import dev.coatcheck.worker.egress.EgressResult.NotSent;
import dev.coatcheck.worker.egress.EgressResult.Response;
import dev.coatcheck.worker.raw.Conversation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Connections are used again, and none is lost. */
class PoolTest extends EgressFixture {
  @Test
  void a_connection_is_reused() {
    post(LONG);
    post(LONG);

    assertThat(server.requests()).hasSize(2);
    assertThat(server.connections()).isEqualTo(1);
  }

  @Test
  void a_reused_connection_that_the_server_has_closed_is_no_false_loss() throws IOException {
    for (int i = 0; i < 20; i++) {
      assertThat(post(LONG)).isInstanceOf(Response.class);
      server.closeConnections();
    }
    assertThat(server.requests()).hasSize(20);
  }

  @Test
  void a_connection_with_bytes_nobody_asked_for_is_not_reused() {
    server.play(c -> c.write("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n"));

    assertThat(((Response) post(LONG)).body().text()).isEqualTo("x");
    assertThat(((Response) post(LONG)).body().text()).isEqualTo("{}");
  }

  @Test
  void a_full_pool_is_waited_for_only_as_long_as_the_attempt_may_take() throws Exception {
    server.otherwise(c -> c.waitForHangUp(10_000));
    try (Egress narrow = Egress.open(SETTINGS, 1, EgressProbe.inert(), ResolveHost.system(LONG));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      OutboundCall first = new OutboundCall();
      EgressRequest slow = new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG);
      Future<EgressResult> holding = threads.submit(() -> narrow.exchange(slow, first));
      await().until(() -> server.requests().size() == 1);

      EgressResult result =
          narrow.exchange(
              new EgressRequest(server.uri(), List.of(), Body.EMPTY, SHORT), new OutboundCall());

      assertThat(result).isInstanceOf(NotSent.class);
      assertThat(result.duration()).isLessThan(Duration.ofSeconds(2));
      first.abort(AbortReason.CANCELLED);
      assertThat(holding.get(1, TimeUnit.SECONDS)).isInstanceOf(Aborted.class);
    }
  }

  @Test
  void no_fault_keeps_its_place_in_the_pool() {
    Duration brief = Duration.ofSeconds(1);
    try (Egress narrow = Egress.open(SETTINGS, 2, EgressProbe.inert(), ResolveHost.system(LONG))) {
      for (int round = 0; round < 2; round++) {
        server.play(
            Conversation::hangUp,
            Conversation::reset,
            c -> c.waitForHangUp(5_000),
            c -> {
              c.write(Conversation.head(200, "Content-Length: 1000") + "x");
              c.waitForHangUp(5_000);
            },
            c -> c.write(Conversation.head(200, "Content-Length: 99999999")),
            c -> {
              c.write(Conversation.head(200, "Transfer-Encoding: chunked") + "5\r\n01");
              c.hangUp();
            },
            c -> {
              c.write("garbage\r\n\r\n");
              c.hangUp();
            },
            c -> {
              c.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
              c.waitForHangUp(5_000);
            });
        for (int fault = 0; fault < 8; fault++) {
          EgressRequest request = new EgressRequest(server.uri(), List.of(), Body.EMPTY, brief);
          assertThat(narrow.exchange(request, new OutboundCall())).isNotInstanceOf(NotSent.class);
        }
      }
      EgressRequest request = new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG);
      assertThat(narrow.exchange(request, new OutboundCall())).isInstanceOf(Response.class);
      assertThat(narrow.exchange(request, new OutboundCall())).isInstanceOf(Response.class);
    }
  }

  @Test
  void a_thousand_calls_wait_at_once() throws Exception {
    int calls = 1_000;
    CountDownLatch all = new CountDownLatch(calls);
    server.otherwise(
        c -> {
          all.countDown();
          try {
            assertThat(all.await(20, TimeUnit.SECONDS)).isTrue();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          c.answer(200, "x");
        });
    try (Egress wide = Egress.open(SETTINGS, calls, EgressProbe.inert(), ResolveHost.system(LONG));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<EgressResult>> running = new ArrayList<>();
      for (int i = 0; i < calls; i++) {
        EgressRequest request = new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG);
        running.add(threads.submit(() -> wide.exchange(request, new OutboundCall())));
      }
      for (Future<EgressResult> one : running) {
        assertThat(one.get(20, TimeUnit.SECONDS)).isInstanceOf(Response.class);
      }
    }
  }
}
