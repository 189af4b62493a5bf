package dev.coatcheck.simulator;

/** An answer that can be sent in full, and therefore also in part. */
public sealed interface Whole extends Answer permits Reply, Completion {
  /** The bytes to send to this request. */
  Reply to(ReceivedRequest request);
}
