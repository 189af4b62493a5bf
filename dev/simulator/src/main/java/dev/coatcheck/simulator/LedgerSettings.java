package dev.coatcheck.simulator;

/**
 * How much the ledger remembers. What falls out of it stays in its counts.
 *
 * @param entries the newest requests to keep
 * @param bodyBytes for all kept bodies together; a request that finds no room is kept without its
 *     body, and zero keeps none, which a benchmark wants
 */
public record LedgerSettings(int entries, long bodyBytes) {
  static final LedgerSettings DEFAULT = new LedgerSettings(10_000, 64L * 1024 * 1024);

  public LedgerSettings {
    if (entries < 1 || entries > 10_000_000 || bodyBytes < 0) {
      throw new IllegalArgumentException("not a ledger: " + entries + " entries");
    }
  }
}
