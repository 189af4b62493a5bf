package dev.coatcheck.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ScriptTest {
  private final Simulator simulator = Simulator.start();

  @AfterEach
  void stop() {
    simulator.close();
  }

  @Test
  void a_queue_is_answered_from_until_it_is_empty() throws IOException {
    simulator.queue(
        Match.prompt("order-1"),
        OpenAiErrors.rateLimited(Duration.ofMillis(1500)),
        OpenAiErrors.overloaded());
    try (var caller = new Caller(simulator)) {
      assertThat(caller.ask("about order-2").status()).isEqualTo(200);
      var limited = caller.ask("about order-1");
      assertThat(limited.status()).isEqualTo(429);
      assertThat(limited.header("retry-after")).isEqualTo("2");
      assertThat(limited.header("retry-after-ms")).isEqualTo("1500");
      assertThat(caller.ask("about order-1").status()).isEqualTo(503);
      assertThat(caller.ask("about order-1").status()).isEqualTo(200);
    }
  }

  @Test
  void each_prompt_has_a_queue_of_its_own_when_counted_by_prompt() throws IOException {
    simulator.queue(Match.eachPrompt(), OpenAiErrors.serverError());
    try (var caller = new Caller(simulator)) {
      assertThat(caller.ask("a").status()).isEqualTo(500);
      assertThat(caller.ask("b").status()).isEqualTo(500);
      assertThat(caller.ask("a").status()).isEqualTo(200);
      assertThat(caller.ask("b").status()).isEqualTo(200);
    }
  }

  @Test
  void a_script_knows_the_request_and_how_many_came_before() throws IOException {
    simulator.script(
        Match.any(), (request, nth) -> Completion.saying(request.prompt() + " no. " + nth));
    try (var caller = new Caller(simulator)) {
      assertThat(caller.ask("x").text()).contains("x no. 1");
      assertThat(caller.ask("y").text()).contains("y no. 2");
    }
  }

  @Test
  void the_newest_script_wins_and_forgetting_drops_them_all() throws IOException {
    simulator.always(Match.any(), OpenAiErrors.serverError());
    simulator.always(Match.prompt("special"), OpenAiErrors.invalidApiKey());
    try (var caller = new Caller(simulator)) {
      assertThat(caller.ask("special").status()).isEqualTo(401);
      assertThat(caller.ask("ordinary").status()).isEqualTo(500);
      simulator.forget();
      assertThat(caller.ask("special").status()).isEqualTo(200);
    }
  }

  @Test
  void a_script_that_throws_is_a_500_that_says_so() throws IOException {
    simulator.script(
        Match.any(),
        (request, nth) -> {
          throw new IllegalStateException("my mistake");
        });
    try (var caller = new Caller(simulator)) {
      var answered = caller.ask("x");
      assertThat(answered.status()).isEqualTo(500);
      assertThat(answered.text()).contains("the script failed").contains("my mistake");
    }
  }

  @Test
  void a_request_is_matched_by_user_header_path_or_body() throws IOException {
    simulator.always(Match.user("u-1"), OpenAiErrors.status(501));
    simulator.always(Match.header("x-job", "j-1"), OpenAiErrors.status(502));
    simulator.always(Match.path("/hook"), OpenAiErrors.status(503));
    simulator.always(Match.body("effect-1"), OpenAiErrors.status(504));
    try (var caller = new Caller(simulator)) {
      assertThat(caller.send(Caller.chatBody("{\"user\":\"u-1\"}")).answer().status())
          .isEqualTo(501);
      caller.send("POST /t HTTP/1.1\r\nX-Job: j-1\r\ncontent-length: 0\r\n\r\n");
      assertThat(caller.answer().status()).isEqualTo(502);
      caller.send("POST /hook?a=b HTTP/1.1\r\ncontent-length: 0\r\n\r\n");
      assertThat(caller.answer().status()).isEqualTo(503);
      caller.send("POST /t HTTP/1.1\r\ncontent-length: 8\r\n\r\neffect-1");
      assertThat(caller.answer().status()).isEqualTo(504);
    }
  }

  @Test
  void two_matches_can_be_required_at_once() throws IOException {
    simulator.always(Match.prompt("a").and(Match.header("host", "x")), OpenAiErrors.status(500));
    simulator.always(Match.prompt("b").and(Match.header("host", "y")), OpenAiErrors.status(500));
    try (var caller = new Caller(simulator)) {
      assertThat(caller.ask("a").status()).isEqualTo(500);
      assertThat(caller.ask("b").status()).isEqualTo(200);
    }
  }
}
