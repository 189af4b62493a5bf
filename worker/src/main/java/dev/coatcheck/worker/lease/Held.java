package dev.coatcheck.worker.lease;

import dev.coatcheck.db.lease.Lease;

/** Who holds a lease, and is told how it fares. Called on threads of others: return at once. */
public interface Held {
  Lease lease();

  /**
   * The lease was renewed.
   *
   * @param asked when the keeper asked, by its ticks: the lease runs from no earlier
   */
  void confirmed(long asked);

  /** Somebody else writes now, or the job has ended: stop silently. */
  void lost();
}
