package dev.coatcheck.worker.provider;

import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.worker.egress.Body;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A model's reply to one turn. Its JSON parts are slices of the response: member order, the
 * spelling of numbers, NUL escapes and lone surrogates are the provider's own.
 *
 * @param message the assistant message, a JSON object
 * @param outputText its text as a JSON string; none if it has none
 * @param finishReason the provider's own word; none if it gave none
 * @param toolCalls the tools it asks for, in its order
 * @param usage none if the provider said nothing
 */
public record Answer(
    Body message,
    @Nullable Body outputText,
    @Nullable String finishReason,
    List<ToolCall> toolCalls,
    @Nullable Usage usage) {
  /** Tools that one turn may ask for; more are no usable answer. */
  static final int MAX_TOOL_CALLS = 1_000;

  public Answer {
    toolCalls = List.copyOf(toolCalls);
  }

  /** Its text; empty if it has none. */
  public String text() {
    return outputText == null ? "" : RawJson.of(outputText.toBytes()).text();
  }

  /** Whether the model stopped before it was done: the job is incomplete. */
  public boolean stoppedShort() {
    return "length".equals(finishReason)
        || "model_length".equals(finishReason)
        || "content_filter".equals(finishReason);
  }
}
