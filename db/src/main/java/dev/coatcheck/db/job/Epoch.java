package dev.coatcheck.db.job;

/**
 * A fencing token: it rises whenever the right to write to a job changes hands. Every write to a
 * job in progress names the epoch it was given, and touches no row once that has passed.
 */
public record Epoch(long value) {}
