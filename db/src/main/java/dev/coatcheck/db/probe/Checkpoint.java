package dev.coatcheck.db.probe;

/** Where a process may be stopped, killed or lied to. The numbers are those of the reports. */
public enum Checkpoint {
  /** A job is inserted with its dispatch, and not committed. */
  W1_INSERTED,
  /** A job is stored and announced, and its caller has no 202 yet. */
  W2_STORED,
  /** A job is committed, and nobody was told. */
  W3_COMMITTED,
  /** A job is cancelled and its attempts closed, and nothing is committed. */
  W4_CANCELLED,
  /** A job is leased: the commit was sent, its answer not seen. */
  K1_ACQUIRED,
  /** About half of a request's body is handed to the socket. */
  K2_HALF_SENT,
  /** The whole request is sent, and no reply has come. */
  K3_SENT,
  /** Some of a reply's body has come. */
  K4_MID_BODY,
  /** The whole reply is here, and nothing of it is written. */
  K5_REPLIED,
  /** The turn is recorded: the commit was sent, its answer not seen. */
  K6_RECORDED,
  /** The turn is known to be recorded, and nothing came of it yet. */
  K7_RECORD_KNOWN,
  /**
   * A tool call is claimed: the commit was sent, its answer not seen, and nothing of the call; of
   * one that is SQL: before the statement.
   */
  K8_CLAIMED,
  /** A tool has done what it does, and nothing of it is written. */
  K9_EFFECT_DONE,
  /** What a tool did is recorded: the commit was sent, its answer not seen. */
  K10_RESULT_RECORDED,
  /** An attempt is over, and the next one of the same run has not begun. */
  K11_BETWEEN_STEPS,
  /** The job is about to end. */
  K12_ENDING,
  /** The job has ended: the commit was sent, its answer not seen. */
  K13_ENDED,
  /** A delivery's dispatch was picked up, and the delivery is not claimed. */
  K14_BEFORE_DELIVERY,
  /** A webhook is posted, and nothing of it is written. */
  K15_POSTED,
  /** The job is parked: the commit was sent, its answer not seen. */
  K16_PARKED,
  /** Leases are renewed: the commit was sent, its answer not seen. */
  K17_RENEWED,
  /** Leases were reaped: first before the commit, then after it and before anybody is told. */
  K18_REAPED,
  /** Dispatches were made anew: first before the commit, then after it and before the news. */
  K19_RECONCILED,
  /** A graceful stop has begun; and each job it released: commit sent, answer not seen. */
  K20_STOPPING
}
