package dev.coatcheck.db.step;

import org.jspecify.annotations.Nullable;

/**
 * A model turn as it is kept: never asked again.
 *
 * @param number from 1
 * @param attempt the attempt that brought it
 * @param message the assistant message, as the provider sent it
 */
public record TurnRecord(int number, int attempt, byte[] message, @Nullable String finishReason) {}
