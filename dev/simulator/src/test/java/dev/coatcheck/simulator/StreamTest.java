package dev.coatcheck.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class StreamTest {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Simulator simulator = Simulator.start();

  @AfterEach
  void stop() {
    simulator.close();
  }

  private static String asked(String prompt, String more) {
    return "{\"model\":\"m\",\"stream\":true"
        + more
        + ",\"messages\":[{\"role\":\"user\",\"content\":"
        + Quote.of(prompt)
        + "}]}";
  }

  private Caller.Answered openAi(String prompt, String more) throws IOException {
    try (var caller = new Caller(simulator)) {
      return caller.send(Caller.chatBody(asked(prompt, more))).answer();
    }
  }

  private Caller.Answered anthropic(String prompt) throws IOException {
    try (var caller = new Caller(simulator)) {
      return caller.send(Caller.post("/v1/messages", asked(prompt, ""))).answer();
    }
  }

  private static List<String> data(Caller.Answered answered) {
    List<String> data = new ArrayList<>();
    answered
        .text()
        .lines()
        .filter(line -> line.startsWith("data: "))
        .forEach(line -> data.add(line.substring("data: ".length())));
    return data;
  }

  private static String textOf(List<String> chunks) {
    var text = new StringBuilder();
    for (var chunk : chunks) {
      if (!chunk.equals("[DONE]")) {
        var delta = JSON.readTree(chunk).path("choices").path(0).path("delta");
        text.append(delta.path("content").asString(""));
      }
    }
    return text.toString();
  }

  @Test
  void a_completion_is_streamed_in_chunks() throws IOException {
    var answered = openAi("[[sim: text Grüße, 😀 und mehr]]", "");

    assertThat(answered.header("content-type")).startsWith("text/event-stream");
    var data = data(answered);
    assertThat(data.getLast()).isEqualTo("[DONE]");
    assertThat(textOf(data)).isEqualTo("Grüße");
    assertThat(JSON.readTree(data.get(data.size() - 2)).at("/choices/0/finish_reason").asString())
        .isEqualTo("stop");
  }

  @Test
  void tokens_are_told_where_they_are_asked_for() throws IOException {
    var with = openAi("hi", ",\"stream_options\":{\"include_usage\":true}");
    var without = openAi("hi [[sim: usage=no ok]]", ",\"stream_options\":{\"include_usage\":true}");

    assertThat(with.text()).contains("\"completion_tokens\":");
    assertThat(without.text()).doesNotContain("completion_tokens").contains("[DONE]");
    assertThat(openAi("hi", "").text()).doesNotContain("completion_tokens");
  }

  @Test
  void a_call_of_a_tool_is_streamed_in_pieces() throws IOException {
    var data = data(openAi("[[sim: tool refund {\"order\": \"4711\"}, ok]]", ""));

    var arguments = new StringBuilder();
    for (var chunk : data.subList(0, data.size() - 1)) {
      arguments.append(
          JSON.readTree(chunk).at("/choices/0/delta/tool_calls/0/function/arguments").asString(""));
    }
    assertThat(arguments).hasToString("{\"order\": \"4711\"}");
    assertThat(data.get(data.size() - 2)).contains("\"finish_reason\":\"tool_calls\"");
  }

  @Test
  void a_message_is_streamed_in_events() throws IOException {
    var events = new ArrayList<JsonNode>();
    for (var data : data(anthropic("[[sim: text Hello world]]"))) {
      events.add(JSON.readTree(data));
    }

    assertThat(events.getFirst().at("/message/role").asString()).isEqualTo("assistant");
    assertThat(events.getLast().path("type").asString()).isEqualTo("message_stop");
    assertThat(events.get(events.size() - 2).at("/delta/stop_reason").asString())
        .isEqualTo("end_turn");
    assertThat(
            events.stream()
                .map(event -> event.at("/delta/text").asString(""))
                .reduce("", String::concat))
        .isEqualTo("Hello world");
  }

  @Test
  void a_tool_of_a_message_is_streamed_in_pieces() throws IOException {
    var text = anthropic("[[sim: tool refund {\"order\": \"4711\"}, ok]]").text();

    assertThat(text)
        .contains("\"type\":\"tool_use\"", "input_json_delta", "\"stop_reason\":\"tool_use\"");
  }

  @ParameterizedTest
  @CsvSource({"cut-after=2, 2", "error-after=2, 3", "end=no, 3"})
  void a_stream_breaks_off_where_it_is_told_to(String flaw, int events) throws IOException {
    var text = openAi("[[sim: " + flaw + " text Hello wo]]", "").text();

    assertThat(text.split("data: ", -1)).hasSize(events + 1);
    assertThat(text).doesNotContain("[DONE]").doesNotContain("\"finish_reason\":\"");
    assertThat(text.contains("overloaded")).isEqualTo(flaw.startsWith("error"));
  }

  @Test
  void pings_say_nothing() throws IOException {
    assertThat(openAi("[[sim: pings=yes text x]]", "").text()).contains(": ping\n\n");
    assertThat(anthropic("[[sim: pings=yes text x]]").text())
        .contains("event: ping\ndata: {\"type\": \"ping\"}\n\n");
  }

  @Test
  void events_come_one_at_a_time() throws IOException {
    long start = System.nanoTime();

    openAi("[[sim: every=50ms text x]]", "");

    assertThat(System.nanoTime() - start).isGreaterThan(150_000_000L);
  }

  @Test
  void who_asks_for_no_stream_gets_none() throws IOException {
    try (var caller = new Caller(simulator)) {
      assertThat(caller.ask("[[sim: every=1ms text x]]").header("content-type"))
          .isEqualTo("application/json");
    }
  }
}
