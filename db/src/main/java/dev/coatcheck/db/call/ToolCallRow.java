package dev.coatcheck.db.call;

import dev.coatcheck.db.tool.CallState;
import dev.coatcheck.db.tool.EffectKey;
import dev.coatcheck.db.tool.ToolSafety;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A tool call as a run finds it.
 *
 * @param arguments the model's own text
 * @param safety none if no such tool was declared
 */
public record ToolCallRow(
    EffectKey.Place place,
    String name,
    byte[] arguments,
    EffectKey effectKey,
    @Nullable ToolSafety safety,
    Progress progress) {

  /**
   * How far it got.
   *
   * @param epoch of the run that claimed it last, 0 if none did
   * @param sends times it was claimed to be sent
   * @param replyLost whether a send had no whole reply, so that its effect may be there
   * @param rest how long it is not to be sent yet, and why; none if it may
   */
  public record Progress(
      CallState state, long epoch, int sends, boolean replyLost, @Nullable Wait rest) {}

  /**
   * @param code {@code status_reason.code} of the API
   */
  public record Wait(Duration left, String code, String detail) {}

  public CallState state() {
    return progress.state();
  }
}
