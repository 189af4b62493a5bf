package dev.coatcheck.simulator;

import java.util.ArrayList;
import java.util.List;

/** A turn as OpenAI streams its chat completions. */
final class WriteChunks {
  private final Turn turn;
  private final String head;

  private WriteChunks(Turn turn) {
    this.turn = turn;
    var out = new StringBuilder("data: {\"id\":\"chatcmpl-sim").append(turn.request().number());
    out.append("\",\"object\":\"chat.completion.chunk\",\"created\":");
    out.append(turn.request().arrivedAt().getEpochSecond()).append(",\"model\":");
    this.head = Quote.into(out, turn.chat().model()).toString();
  }

  static TurnEvents of(Turn turn, Streaming.Extra usage) {
    var writer = new WriteChunks(turn);
    return new TurnEvents(
        writer.answer(),
        writer.end(usage),
        "data: " + OpenAiErrors.overloaded().body().text() + "\n\n",
        ": ping\n\n");
  }

  private List<String> answer() {
    List<String> events = new ArrayList<>();
    events.add(chunk("{\"role\":\"assistant\",\"content\":\"\",\"refusal\":null}", "null"));
    for (var piece : TurnEvents.pieces(turn.text())) {
      events.add(chunk("{\"content\":" + Quote.of(piece) + "}", "null"));
    }
    for (int i = 0; i < turn.toolCalls().size(); i++) {
      call(i, turn.toolCalls().get(i), events);
    }
    return events;
  }

  private void call(int index, ToolCall call, List<String> events) {
    events.add(
        chunk(
            "{\"tool_calls\":[{\"index\":%d,\"id\":\"call_sim%d_%d\",\"type\":\"function\",\"function\":{\"name\":%s,\"arguments\":\"\"}}]}"
                .formatted(index, turn.request().number(), index, Quote.of(call.name())),
            "null"));
    for (var piece : TurnEvents.pieces(call.arguments())) {
      events.add(
          chunk(
              "{\"tool_calls\":[{\"index\":%d,\"function\":{\"arguments\":%s}}]}"
                  .formatted(index, Quote.of(piece)),
              "null"));
    }
  }

  private List<String> end(Streaming.Extra usage) {
    List<String> events = new ArrayList<>();
    events.add(chunk("{}", Quote.of(turn.finishReason())));
    if (turn.chat().wantsUsage() && usage == Streaming.Extra.WITH) {
      var out = new StringBuilder(head).append(",\"choices\":[],\"usage\":");
      WriteChatCompletion.usage(out, turn.chat().promptTokens(), turn.tokens());
      events.add(out.append("}\n\n").toString());
    }
    events.add("data: [DONE]\n\n");
    return events;
  }

  private String chunk(String delta, String finishReason) {
    var out = new StringBuilder(head.length() + delta.length() + 128).append(head);
    out.append(",\"choices\":[{\"index\":0,\"delta\":").append(delta);
    out.append(",\"logprobs\":null,\"finish_reason\":").append(finishReason);
    return out.append("}]}\n\n").toString();
  }
}
