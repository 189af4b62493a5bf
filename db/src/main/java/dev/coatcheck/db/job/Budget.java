package dev.coatcheck.db.job;

import java.time.Duration;

/**
 * What a job may spend, besides its deadline.
 *
 * @param maxAttempts HTTP requests per model turn, 1 to 20
 * @param maxTurns model turns, 1 to 64
 * @param maxWait the longest single wait that a provider may ask for
 * @param attemptTimeout one HTTP attempt, from connect to the last byte of the body
 */
public record Budget(int maxAttempts, int maxTurns, Duration maxWait, Duration attemptTimeout) {}
