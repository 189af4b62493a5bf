package dev.coatcheck.simulator;

/** A request and how its answer ended, as far as it has. */
public record LedgerEntry(ReceivedRequest request, Ending ending) {
  public String prompt() {
    return request.prompt();
  }
}
