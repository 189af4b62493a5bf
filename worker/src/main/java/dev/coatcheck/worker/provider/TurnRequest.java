package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one turn.
 *
 * @param model the model's name as the provider knows it, without our prefix
 * @param params a JSON object whose members are merged in as they are
 * @param listener the answer is streamed for it; none if it is to come whole
 * @param timeout the whole attempt, from connect to the last byte
 */
public record TurnRequest(
    String model,
    Dialogue dialogue,
    Body params,
    @Nullable TextListener listener,
    Duration timeout) {}
