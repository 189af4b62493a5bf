package dev.coatcheck.worker.run;

import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.worker.egress.AbortReason;
import dev.coatcheck.worker.egress.OutboundCall;
import dev.coatcheck.worker.tool.Host;
import java.time.Duration;
import java.util.Optional;

/** What a run's tools see of its tenure. */
final class ToolHost implements Host {
  /** How long after the deadline the database may be away before a tool's outcome is dropped. */
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final Tenure tenure;

  ToolHost(Tenure tenure) {
    this.tenure = tenure;
  }

  @Override
  public Lease lease() {
    return tenure.lease();
  }

  @Override
  public Optional<AbortReason> stopped() {
    return tenure
        .stopped()
        .or(() -> tenure.isPastDeadline() ? Optional.of(AbortReason.DEADLINE) : Optional.empty());
  }

  @Override
  public Duration untilDeadline() {
    return tenure.untilDeadline();
  }

  @Override
  public boolean isTooLate() {
    return tenure.isStopping() || tenure.untilDeadline().plus(PATIENCE).isNegative();
  }

  @Override
  public Optional<OutboundCall> beginTool() throws InterruptedException {
    return tenure.beginTool();
  }

  @Override
  public void doneTool(OutboundCall call) {
    tenure.doneTool(call);
  }

  @Override
  public void pause(Duration length) throws InterruptedException {
    tenure.pause(length);
  }
}
