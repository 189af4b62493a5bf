package dev.coatcheck.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class SimulatorTest {
  /** Both ends are in this process: two files a connection. */
  private static final int MANY = 3000;

  @Test
  void the_jdk_client_understands_it() throws Exception {
    try (var simulator = Simulator.start();
        var client = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(simulator.url("/v1/chat/completions"))
              .POST(HttpRequest.BodyPublishers.ofString("{\"messages\":[]}"))
              .build();
      for (int i = 0; i < 3; i++) {
        var response = client.send(request, BodyHandlers.ofString());
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("x-request-id")).contains("req_sim" + (i + 1));
      }
      assertThat(simulator.baseUrl()).hasToString("http://127.0.0.1:" + simulator.port() + "/v1");
    }
  }

  @Test
  void thousands_wait_at_once_and_all_are_answered() throws IOException {
    var settings = SimulatorSettings.quick();
    try (var simulator = Simulator.start(settings)) {
      var released = new CountDownLatch(1);
      simulator.script(
          Match.any(),
          (request, nth) -> {
            awaitUninterruptibly(released);
            return Completion.saying("at last");
          });
      List<Caller> callers = new ArrayList<>();
      for (int i = 0; i < MANY; i++) {
        callers.add(new Caller(simulator).send(Caller.chat("wait")));
      }
      simulator.ledger().await(entry -> true, MANY, Duration.ofSeconds(20));
      assertThat(simulator.ledger().counts().open()).isEqualTo(MANY);
      released.countDown();
      for (var caller : callers) {
        assertThat(caller.answer().text()).contains("at last");
        caller.close();
      }
    }
  }

  @Test
  void closing_ends_every_connection_and_frees_the_port() throws IOException {
    var simulator = Simulator.start();
    try (var caller = new Caller(simulator)) {
      caller.send(Caller.chat("[[sim: hang]]"));
      simulator.ledger().await(entry -> true, 1, Duration.ofSeconds(10));
      simulator.close();
      assertThat(caller.read()).isEqualTo(-1);
    }
    assertThatThrownBy(() -> new Caller(simulator)).isInstanceOf(ConnectException.class);
    Simulator.start(SimulatorSettings.quick().onPort(simulator.port())).close();
  }

  @Test
  void a_taken_port_is_named() {
    try (var first = Simulator.start()) {
      var taken = SimulatorSettings.quick().onPort(first.port());
      assertThatThrownBy(() -> Simulator.start(taken))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("127.0.0.1:" + first.port());
    }
  }

  @Test
  void latency_lies_between_its_bounds_and_repeats() {
    var latency = Latency.parse("100ms..2s");
    var all = new ArrayList<Duration>();
    for (long number = 1; number <= 1000; number++) {
      all.add(latency.of(number));
      assertThat(latency.of(number)).isEqualTo(all.getLast());
    }
    assertThat(all).allMatch(one -> one.toMillis() >= 100 && one.toMillis() <= 2000);
    assertThat(all.stream().filter(one -> one.toMillis() < 1050).count()).isBetween(400L, 600L);
  }

  @Test
  void latency_comes_before_what_no_script_answers() throws IOException {
    var slow = SimulatorSettings.quick().with(Latency.fixed(Duration.ofMillis(80)));
    try (var simulator = Simulator.start(slow);
        var caller = new Caller(simulator)) {
      long start = System.nanoTime();
      caller.ask("slowly");
      assertThat(System.nanoTime() - start).isGreaterThanOrEqualTo(80_000_000);
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
