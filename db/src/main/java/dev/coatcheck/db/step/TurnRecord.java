package dev.coatcheck.db.step;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A model turn as it is kept: never asked again.
 *
 * @param number from 1
 * @param attempt the attempt that brought it
 * @param message the assistant message, as the provider sent it
 * @param calls the tools it asks for, in its order
 */
public record TurnRecord(
    int number,
    int attempt,
    byte[] message,
    @Nullable String finishReason,
    List<NewToolCall> calls) {
  public TurnRecord {
    calls = List.copyOf(calls);
  }

  /** One that asks for no tools. */
  public TurnRecord(int number, int attempt, byte[] message, @Nullable String finishReason) {
    this(number, attempt, message, finishReason, List.of());
  }
}
