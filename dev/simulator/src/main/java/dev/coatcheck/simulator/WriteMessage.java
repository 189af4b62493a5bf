package dev.coatcheck.simulator;

import java.util.List;

/** A turn as Anthropic's messages tell it. A tool's arguments are written as the JSON they are. */
final class WriteMessage {
  private WriteMessage() {}

  static String of(Turn turn) {
    var out = new StringBuilder(turn.text().length() + 512);
    out.append("{\"id\":\"msg_sim").append(turn.request().number());
    out.append("\",\"type\":\"message\",\"role\":\"assistant\",\"model\":");
    Quote.into(out, turn.chat().model()).append(",\"content\":[");
    if (turn.toolCalls().isEmpty()) {
      out.append("{\"type\":\"text\",\"text\":");
      Quote.into(out, turn.text()).append('}');
    } else {
      toolUses(out, turn.toolCalls(), turn.request().number());
    }
    out.append("],\"stop_reason\":");
    Quote.into(out, stopReason(turn.finishReason())).append(",\"stop_sequence\":null,\"usage\":");
    out.append("{\"input_tokens\":").append(turn.chat().promptTokens());
    out.append(",\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":0");
    out.append(",\"output_tokens\":").append(turn.tokens());
    return out.append(",\"service_tier\":\"standard\"}}").toString();
  }

  /** The message before anything of it was said. */
  static String begun(Turn turn) {
    var out = new StringBuilder("{\"id\":\"msg_sim").append(turn.request().number());
    out.append("\",\"type\":\"message\",\"role\":\"assistant\",\"model\":");
    Quote.into(out, turn.chat().model());
    out.append(",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,\"usage\":");
    out.append("{\"input_tokens\":").append(turn.chat().promptTokens());
    out.append(",\"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":0");
    return out.append(",\"output_tokens\":1,\"service_tier\":\"standard\"}}").toString();
  }

  private static void toolUses(StringBuilder out, List<ToolCall> toolCalls, long number) {
    for (int i = 0; i < toolCalls.size(); i++) {
      var call = toolCalls.get(i);
      out.append(i == 0 ? "" : ",").append("{\"type\":\"tool_use\",\"id\":\"toolu_sim");
      out.append(number).append('_').append(i).append("\",\"name\":");
      Quote.into(out, call.name()).append(",\"input\":").append(call.arguments()).append('}');
    }
  }

  static String stopReason(String finishReason) {
    return switch (finishReason) {
      case "stop" -> "end_turn";
      case "length" -> "max_tokens";
      case "tool_calls" -> "tool_use";
      case "content_filter" -> "refusal";
      default -> finishReason;
    };
  }
}
