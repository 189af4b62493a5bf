package dev.coatcheck.db.step;

import dev.coatcheck.db.tool.CallState;
import dev.coatcheck.db.tool.EffectKey;
import dev.coatcheck.db.tool.ToolSafety;
import org.jspecify.annotations.Nullable;

/**
 * A tool call as its turn asks for it.
 *
 * @param providerId the provider's own
 * @param name as the model spells it
 * @param arguments the model's own text, as UTF-8
 * @param safety none if no such tool was declared
 * @param state where it begins
 * @param error what the model is told if it begins as failed
 */
public record NewToolCall(
    EffectKey.Place place,
    String providerId,
    String name,
    byte[] arguments,
    @Nullable ToolSafety safety,
    CallState state,
    @Nullable String error) {
  public EffectKey effectKey() {
    return EffectKey.of(place, name, arguments);
  }
}
