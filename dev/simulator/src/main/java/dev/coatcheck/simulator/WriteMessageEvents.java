package dev.coatcheck.simulator;

import java.util.ArrayList;
import java.util.List;

/** A turn as Anthropic streams its messages. */
final class WriteMessageEvents {
  private WriteMessageEvents() {}

  static TurnEvents of(Turn turn, Streaming.Extra usage) {
    return new TurnEvents(
        answer(turn),
        end(turn, usage),
        event("error", AnthropicErrors.overloaded().body().text()),
        event("ping", "{\"type\": \"ping\"}"));
  }

  private static List<String> answer(Turn turn) {
    List<String> events = new ArrayList<>();
    events.add(
        event(
            "message_start",
            "{\"type\":\"message_start\",\"message\":" + WriteMessage.begun(turn) + "}"));
    if (turn.toolCalls().isEmpty()) {
      start(events, 0, "{\"type\":\"text\",\"text\":\"\"}");
      for (var piece : TurnEvents.pieces(turn.text())) {
        delta(events, 0, "{\"type\":\"text_delta\",\"text\":" + Quote.of(piece) + "}");
      }
      stop(events, 0);
    }
    for (int i = 0; i < turn.toolCalls().size(); i++) {
      call(events, i, turn);
    }
    return events;
  }

  private static void call(List<String> events, int index, Turn turn) {
    var call = turn.toolCalls().get(index);
    start(
        events,
        index,
        "{\"type\":\"tool_use\",\"id\":\"toolu_sim%d_%d\",\"name\":%s,\"input\":{}}"
            .formatted(turn.request().number(), index, Quote.of(call.name())));
    for (var piece : TurnEvents.pieces(call.arguments())) {
      delta(
          events,
          index,
          "{\"type\":\"input_json_delta\",\"partial_json\":" + Quote.of(piece) + "}");
    }
    stop(events, index);
  }

  private static void start(List<String> events, int index, String block) {
    events.add(
        event(
            "content_block_start",
            "{\"type\":\"content_block_start\",\"index\":"
                + index
                + ",\"content_block\":"
                + block
                + "}"));
  }

  private static void delta(List<String> events, int index, String delta) {
    events.add(
        event(
            "content_block_delta",
            "{\"type\":\"content_block_delta\",\"index\":" + index + ",\"delta\":" + delta + "}"));
  }

  private static void stop(List<String> events, int index) {
    events.add(
        event("content_block_stop", "{\"type\":\"content_block_stop\",\"index\":" + index + "}"));
  }

  private static List<String> end(Turn turn, Streaming.Extra usage) {
    var told =
        usage == Streaming.Extra.WITH ? ",\"usage\":{\"output_tokens\":" + turn.tokens() + "}" : "";
    return List.of(
        event(
            "message_delta",
            "{\"type\":\"message_delta\",\"delta\":{\"stop_reason\":"
                + Quote.of(WriteMessage.stopReason(turn.finishReason()))
                + ",\"stop_sequence\":null}"
                + told
                + "}"),
        event("message_stop", "{\"type\":\"message_stop\"}"));
  }

  private static String event(String name, String data) {
    return "event: " + name + "\ndata: " + data + "\n\n";
  }
}
