package dev.coatcheck.simulator;

/**
 * The ledger in figures.
 *
 * @param refused what was no lawful HTTP and never became a request
 * @param open how many callers wait at this moment
 * @param peakOpen the most that ever waited at once
 */
public record Counts(
    long received,
    long whole,
    long brokenOff,
    long callerLeft,
    long refused,
    int open,
    int peakOpen) {}
