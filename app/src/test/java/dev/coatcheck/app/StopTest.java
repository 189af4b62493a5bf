package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.app.event.Waiters;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class StopTest {
  @Test
  void waiting_requests_are_answered_when_the_process_stops() throws Exception {
    RunningApp app = RunningApp.start();
    Http acme = app.as("acme");
    String id = acme.submit("{\"model\":\"m\",\"prompt\":\"p\"}").text("/id");
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Http.Reply> poll =
          threads.submit(() -> acme.get("/v1/jobs/" + id, Map.of("Prefer", "wait=60")));
      Waiters waiters = app.context().getBean(Waiters.class);
      Awaitility.await().until(() -> waiters.count() == 1);
      long start = System.nanoTime();
      app.context().close();

      assertThat(poll.get().status()).isEqualTo(200);
      assertThat(poll.get().text("/status")).isEqualTo("queued");
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    } finally {
      app.close();
    }
  }

  @Test
  void open_streams_end_when_the_process_stops() {
    RunningApp app = RunningApp.start();
    Http acme = app.as("acme");
    String id = acme.submit("{\"model\":\"m\",\"prompt\":\"p\"}").text("/id");
    try (EventStream stream = acme.stream("/v1/jobs/" + id + "/events", Map.of())) {
      stream.next();
      long start = System.nanoTime();
      app.context().close();

      assertThat(stream.rest()).isEmpty();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    } finally {
      app.close();
    }
  }
}
