package dev.coatcheck.worker.egress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.worker.egress.EgressResult.Aborted;
import dev.coatcheck.worker.egress.EgressResult.NotSent;
import dev.coatcheck.worker.egress.EgressResult.Reach;
import dev.coatcheck.worker.egress.EgressResult.Response;
import dev.coatcheck.worker.egress.EgressResult.Unsent;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A call can be given up at any moment, from any thread. */
class AbortTest extends EgressFixture {
  @Test
  void a_call_is_aborted_from_another_thread_at_once() throws Exception {
    CountDownLatch arrived = new CountDownLatch(1);
    CountDownLatch hungUp = new CountDownLatch(1);
    server.play(
        c -> {
          arrived.countDown();
          if (c.waitForHangUp(10_000)) {
            hungUp.countDown();
          }
        });
    OutboundCall call = new OutboundCall();

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<EgressResult> running =
          threads.submit(
              () ->
                  egress.exchange(
                      new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG), call));
      assertThat(arrived.await(5, TimeUnit.SECONDS)).isTrue();
      call.abort(AbortReason.CANCELLED);
      call.abort(AbortReason.STOPPING);

      EgressResult result = running.get(1, TimeUnit.SECONDS);
      assertThat(result)
          .isInstanceOf(Aborted.class)
          .extracting("reason", "reach")
          .containsExactly(AbortReason.CANCELLED, Reach.MAYBE_SENT);
      assertThat(hungUp.await(1, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void a_call_that_waits_for_its_connection_is_aborted_too() throws Exception {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Egress patient =
            Egress.open(
                EgressSettings.standard(), 5, EgressProbe.inert(), ResolveHost.system(LONG));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Socket> fillers = fill(full);
      OutboundCall call = new OutboundCall();
      Future<EgressResult> running =
          threads.submit(
              () ->
                  patient.exchange(
                      new EgressRequest(uri(full), List.of(), Body.EMPTY, LONG), call));
      await().until(call::isOpen);

      call.abort(AbortReason.LEASE_LOST);

      assertThat(running.get(1, TimeUnit.SECONDS))
          .isInstanceOf(Aborted.class)
          .extracting("reason", "reach")
          .containsExactly(AbortReason.LEASE_LOST, Reach.NOTHING_SENT);
      for (Socket filler : fillers) {
        filler.close();
      }
    }
  }

  @Test
  void a_look_up_that_hangs_holds_neither_the_timeout_nor_an_abort() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    ResolveHost hanging =
        new SystemHosts(
            LONG,
            host -> {
              try {
                assertThat(never.await(20, TimeUnit.SECONDS)).isTrue();
              } catch (InterruptedException e) {
                throw new UnknownHostException(host);
              }
              return List.of(InetAddress.getLoopbackAddress());
            });
    try (Egress slow = Egress.open(SETTINGS, 5, EgressProbe.inert(), hanging);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      URI uri = URI.create("http://slow.example/");
      OutboundCall call = new OutboundCall();
      Future<EgressResult> running =
          threads.submit(
              () -> slow.exchange(new EgressRequest(uri, List.of(), Body.EMPTY, LONG), call));
      EgressResult timedOut =
          slow.exchange(new EgressRequest(uri, List.of(), Body.EMPTY, SHORT), new OutboundCall());
      call.abort(AbortReason.DEADLINE);

      assertThat(running.get(1, TimeUnit.SECONDS)).isInstanceOf(Aborted.class);
      assertThat(timedOut)
          .isInstanceOf(NotSent.class)
          .extracting("cause")
          .isEqualTo(Unsent.TIMEOUT);
      assertThat(timedOut.duration()).isBetween(SHORT, SHORT.plusSeconds(3));
      never.countDown();
    }
  }

  @Test
  void a_tls_handshake_that_hangs_holds_neither_the_timeout_nor_an_abort() throws Exception {
    server.withoutReading().otherwise(c -> c.waitForHangUp(20_000));
    URI uri = URI.create("https://127.0.0.1:" + server.port() + "/");
    try (Egress patient =
            Egress.open(
                EgressSettings.standard(), 5, EgressProbe.inert(), ResolveHost.system(LONG));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      OutboundCall call = new OutboundCall();
      Future<EgressResult> running =
          threads.submit(
              () -> patient.exchange(new EgressRequest(uri, List.of(), Body.EMPTY, LONG), call));
      EgressResult timedOut =
          patient.exchange(
              new EgressRequest(uri, List.of(), Body.EMPTY, SHORT), new OutboundCall());
      call.abort(AbortReason.CANCELLED);

      assertThat(running.get(1, TimeUnit.SECONDS))
          .isInstanceOf(Aborted.class)
          .extracting("reach")
          .isEqualTo(Reach.NOTHING_SENT);
      assertThat(timedOut).isInstanceOf(NotSent.class);
      assertThat(timedOut.duration()).isBetween(SHORT, SHORT.plusSeconds(3));
    }
  }

  @Test
  void a_call_that_waits_for_a_full_pool_is_aborted_too() throws Exception {
    server.otherwise(c -> c.waitForHangUp(20_000));
    try (Egress narrow = Egress.open(SETTINGS, 1, EgressProbe.inert(), ResolveHost.system(LONG));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      OutboundCall first = new OutboundCall();
      OutboundCall second = new OutboundCall();
      EgressRequest request = new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG);
      Future<EgressResult> holding = threads.submit(() -> narrow.exchange(request, first));
      await().until(() -> server.requests().size() == 1);
      Future<EgressResult> waiting = threads.submit(() -> narrow.exchange(request, second));
      await().until(second::isOpen);

      second.abort(AbortReason.CANCELLED);

      assertThat(waiting.get(1, TimeUnit.SECONDS))
          .isInstanceOf(Aborted.class)
          .extracting("reach")
          .isEqualTo(Reach.NOTHING_SENT);
      first.abort(AbortReason.CANCELLED);
      assertThat(holding.get(1, TimeUnit.SECONDS)).isInstanceOf(Aborted.class);
    }
  }

  @Test
  void a_call_aborted_before_it_starts_sends_nothing() {
    OutboundCall call = new OutboundCall();
    call.abort(AbortReason.STOPPING);

    EgressResult result =
        egress.exchange(new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG), call);

    assertThat(result)
        .isInstanceOf(Aborted.class)
        .extracting("reach")
        .isEqualTo(Reach.NOTHING_SENT);
    assertThat(server.connections()).isZero();
  }

  @Test
  void an_abort_after_the_answer_changes_nothing() {
    OutboundCall call = new OutboundCall();

    EgressResult result =
        egress.exchange(new EgressRequest(server.uri(), List.of(), Body.EMPTY, LONG), call);
    call.abort(AbortReason.CANCELLED);

    assertThat(result).isInstanceOf(Response.class);
    assertThat(post(LONG)).isInstanceOf(Response.class);
  }
}
