package dev.coatcheck.worker.tool;

import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.worker.egress.AbortReason;
import dev.coatcheck.worker.egress.OutboundCall;
import java.time.Duration;
import java.util.Optional;

/** The run that a call belongs to, as far as the call needs it. Called from several threads. */
public interface Host {
  Lease lease();

  /** Why nothing new is to be started, if so: the deadline, too. */
  Optional<AbortReason> stopped();

  Duration untilDeadline();

  /** Whether what is in hand has become too late to record. */
  boolean isTooLate();

  /**
   * Begins the sending of a tool if a socket may be opened now. It is given up only when the
   * process stops: a tool that runs while its job is cancelled is left to finish.
   */
  Optional<OutboundCall> beginTool() throws InterruptedException;

  void doneTool(OutboundCall call);

  /** Waits in place; returns early when stopped. */
  void pause(Duration length) throws InterruptedException;
}
