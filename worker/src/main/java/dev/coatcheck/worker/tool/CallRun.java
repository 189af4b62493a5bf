package dev.coatcheck.worker.tool;

/** How the running of a call, or of several, left the run. */
public enum CallRun {
  /** What became of it is recorded; the database knows what is next. */
  RECORDED,
  /** Somebody else writes now, or the job has ended: stop silently. */
  LEASE_LOST,
  /** The run is told to stop; what was not done is left as it was. */
  STOPPED
}
