package dev.coatcheck.worker.provider;

import dev.coatcheck.worker.egress.Body;
import java.time.Duration;

/**
 * One attempt at one turn.
 *
 * @param model the model's name as the provider knows it, without our prefix
 * @param params a JSON object whose members are merged in as they are
 * @param timeout the whole attempt, from connect to the last byte
 */
public record TurnRequest(String model, Dialogue dialogue, Body params, Duration timeout) {}
