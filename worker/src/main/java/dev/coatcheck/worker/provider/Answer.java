package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import org.jspecify.annotations.Nullable;

/**
 * A model's reply to one turn. Its JSON parts are slices of the response: member order, the
 * spelling of numbers, NUL escapes and lone surrogates are the provider's own.
 *
 * @param message the assistant message, a JSON object
 * @param outputText its text as a JSON string; none if it has none
 * @param finishReason the provider's own word; none if it gave none
 * @param usage none if the provider said nothing
 */
public record Answer(
    Body message,
    @Nullable Body outputText,
    @Nullable String finishReason,
    ToolCalls toolCalls,
    @Nullable Usage usage) {

  /** Whether the model asks for tools. */
  public enum ToolCalls {
    NONE,
    SOME
  }

  /** Whether the model stopped before it was done: the job is incomplete. */
  public boolean stoppedShort() {
    return "length".equals(finishReason)
        || "model_length".equals(finishReason)
        || "content_filter".equals(finishReason);
  }
}
