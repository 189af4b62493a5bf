package dev.coatcheck.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LedgerTest {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  @Test
  void it_has_what_arrived_in_order() throws IOException {
    var start = Instant.now();
    try (var simulator = Simulator.start();
        var caller = new Caller(simulator)) {
      caller.ask("one");
      caller.send("PUT /p?q=1 HTTP/1.1\r\nX-A: b\r\ncontent-length: 4\r\n\r\nbody").answer();
      var entries = simulator.ledger().entries();
      assertThat(entries).extracting(entry -> entry.request().number()).containsExactly(1L, 2L);
      assertThat(entries.getFirst().prompt()).isEqualTo("one");
      var put = entries.getLast().request();
      assertThat(put.method()).isEqualTo("PUT");
      assertThat(put.path()).isEqualTo("/p");
      assertThat(put.headers().first("x-a")).contains("b");
      assertThat(put.body()).isEqualTo(Body.text("body"));
      assertThat(put.arrivedAt()).isBetween(start, Instant.now());
    }
  }

  @Test
  void only_the_newest_are_kept_and_all_are_counted() throws IOException {
    try (var simulator = started(new LedgerSettings(3, 1_000_000));
        var caller = new Caller(simulator)) {
      for (int i = 1; i <= 5; i++) {
        caller.ask("prompt " + i);
      }
      var ledger = simulator.ledger();
      ledger.await(entry -> entry.ending() == Ending.WHOLE, 3, LIMIT);
      assertThat(ledger.entries())
          .extracting(LedgerEntry::prompt)
          .containsExactly("prompt 3", "prompt 4", "prompt 5");
      assertThat(ledger.counts()).isEqualTo(new Counts(5, 5, 0, 0, 0, 0, 1));
    }
  }

  @Test
  void bodies_can_be_left_out() throws IOException {
    try (var simulator = started(new LedgerSettings(10, 0));
        var caller = new Caller(simulator)) {
      assertThat(caller.ask("forget me").text()).contains("forget me");
      var request = simulator.ledger().entries().getFirst().request();
      assertThat(request.body().length()).isZero();
      assertThat(request.prompt()).isEmpty();
      assertThat(request.bodyBytes()).isGreaterThan(50);
    }
  }

  @Test
  void bodies_are_kept_while_there_is_room_and_room_is_given_back() throws IOException {
    try (var simulator = started(new LedgerSettings(2, 1500));
        var caller = new Caller(simulator)) {
      caller.ask("a".repeat(1000));
      caller.ask("b".repeat(1000));
      assertThat(simulator.ledger().entries().get(0).prompt()).startsWith("aaa");
      assertThat(simulator.ledger().entries().get(1).prompt()).isEmpty();
      caller.ask("c");
      caller.ask("d".repeat(1000));
      assertThat(simulator.ledger().entries().get(1).prompt()).startsWith("ddd");
    }
  }

  @Test
  void waiting_ends_when_the_last_one_arrives() throws Exception {
    try (var simulator = Simulator.start();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var waiting =
          threads.submit(
              () -> simulator.ledger().await(entry -> entry.prompt().equals("third"), 1, LIMIT));
      try (var caller = new Caller(simulator)) {
        caller.ask("first");
        caller.ask("second");
        assertThat(waiting.isDone()).isFalse();
        caller.ask("third");
      }
      assertThat(waiting.get()).hasSize(1);
    }
  }

  @Test
  void waiting_has_a_limit_and_says_what_was_there() throws IOException {
    try (var simulator = Simulator.start();
        var caller = new Caller(simulator)) {
      caller.ask("only one");
      assertThatThrownBy(() -> simulator.ledger().await(entry -> true, 2, Duration.ofMillis(20)))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("has 1 such entries of 1, not 2");
    }
  }

  @Test
  void clearing_forgets_entries_and_counts_but_not_who_still_waits() throws IOException {
    try (var simulator = Simulator.start();
        var waiting = new Caller(simulator);
        var caller = new Caller(simulator)) {
      var ledger = simulator.ledger();
      waiting.send(Caller.chat("[[sim: hang]]"));
      ledger.await(entry -> entry.ending() == Ending.OPEN, 1, LIMIT);
      caller.ask("x");
      ledger.await(entry -> entry.ending() == Ending.WHOLE, 1, LIMIT);
      ledger.clear();
      assertThat(ledger.entries()).isEmpty();
      assertThat(ledger.counts()).isEqualTo(new Counts(0, 0, 0, 0, 0, 1, 1));
      waiting.leave();
      caller.ask("y");
      assertThat(ledger.asked("y")).hasSize(1);
      assertThat(ledger.count(entry -> entry.ending() == Ending.CALLER_LEFT)).isZero();
    }
  }

  @Test
  void another_process_reads_waits_and_clears_over_http() throws IOException {
    try (var simulator = Simulator.start();
        var reader = new Caller(simulator);
        var caller = new Caller(simulator)) {
      reader.send("GET /__ledger?contains=job%201&await=2&timeout=10s HTTP/1.1\r\n\r\n");
      caller.ask("job 1");
      caller.ask("job 2");
      caller.ask("job 1");
      var page = JsonMapper.shared().readTree(reader.answer().body().array());
      assertThat(page.path("matching").intValue()).isEqualTo(2);
      assertThat(page.path("entries").path(0).path("prompt").asString()).isEqualTo("job 1");
      assertThat(page.path("entries").path(0).path("ending").asString()).isEqualTo("whole");
      assertThat(page(reader, "?limit=1").path("entries").size()).isEqualTo(1);
      assertThat(page(reader, "").path("counts").path("received").intValue()).isEqualTo(3);
      assertThat(reader.send("DELETE /__ledger HTTP/1.1\r\n\r\n").answer().status()).isEqualTo(204);
      assertThat(page(reader, "").path("counts").path("received").intValue()).isZero();
    }
  }

  @Test
  void the_page_refuses_what_it_does_not_understand() throws IOException {
    try (var simulator = Simulator.start();
        var reader = new Caller(simulator)) {
      assertThat(reader.send("PATCH /__ledger HTTP/1.1\r\n\r\n").answer().status()).isEqualTo(405);
      assertThat(reader.send("GET /__ledger?await=some HTTP/1.1\r\n\r\n").answer().status())
          .isEqualTo(400);
      assertThat(reader.send("GET /__ledger?timeout=long HTTP/1.1\r\n\r\n").answer().status())
          .isEqualTo(400);
    }
  }

  @Test
  void credentials_are_not_shown_over_http() throws IOException {
    try (var simulator = Simulator.start();
        var caller = new Caller(simulator)) {
      caller
          .send("GET /v1/models HTTP/1.1\r\nAuthorization: Bearer hunter2\r\nx-a: shown\r\n\r\n")
          .answer();
      var page = page(caller, "").toString();
      assertThat(page).contains("shown").contains("(14 characters)").doesNotContain("hunter2");
      assertThat(simulator.ledger().entries().getFirst().request().headers().first("authorization"))
          .contains("Bearer hunter2");
    }
  }

  private static Simulator started(LedgerSettings settings) {
    return Simulator.start(SimulatorSettings.quick().with(settings));
  }

  private static JsonNode page(Caller reader, String query) throws IOException {
    reader.send("GET /__ledger" + query + " HTTP/1.1\r\n\r\n");
    return JsonMapper.shared().readTree(reader.answer().body().array());
  }
}
