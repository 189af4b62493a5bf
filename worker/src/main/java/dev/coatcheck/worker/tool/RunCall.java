package dev.coatcheck.worker.tool;

import dev.coatcheck.db.call.ToolCallRow;
import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.lease.Written;
import dev.coatcheck.db.tool.CallState;
import dev.coatcheck.db.tool.ToolDefinition;
import dev.coatcheck.db.tool.ToolSafety;
import dev.coatcheck.db.tool.ToolWork;
import java.util.Optional;

/** Runs one call to its end, or as far as it gets, by the safety that its tool declares. */
final class RunCall {
  private static final String RUN_LOST =
      "The worker that ran it was lost, and nobody knows whether it was done";

  private final Toolbox box;
  private final Host host;
  private final JobFacts job;
  private final ToolCallRow call;

  RunCall(Toolbox box, Host host, JobFacts job, ToolCallRow call) {
    this.box = box;
    this.host = host;
    this.job = job;
    this.call = call;
  }

  CallRun run() throws InterruptedException {
    Optional<ToolDefinition> tool = tool();
    if (tool.isEmpty()) {
      return call.state() == CallState.RUNNING ? doubt() : unknown();
    }
    return switch (tool.get().work()) {
      case ToolWork.Http http -> http(tool.get(), http);
      case ToolWork.Sql sql -> new RunStatement(box, host, call).run(tool.get(), sql);
      case ToolWork.Caller _ -> unknown();
    };
  }

  /** What is declared otherwise now is another tool: nobody knows how to go on with this call. */
  private Optional<ToolDefinition> tool() {
    return box.tools.named(call.name()).filter(tool -> tool.safety() == call.safety());
  }

  private CallRun http(ToolDefinition tool, ToolWork.Http work) throws InterruptedException {
    boolean isTakenOver = call.state() == CallState.RUNNING;
    if (isTakenOver && tool.safety() == ToolSafety.AT_MOST_ONCE) {
      return doubt();
    }
    return new SendCall(box, host, job, new SendTool.Sending(host.lease(), call, tool, work)).run();
  }

  private CallRun doubt() throws InterruptedException {
    Lease lease = host.lease();
    return written(
        box.stores
            .insist()
            .on(
                () -> box.stores.calls().record().doubt(lease, call.place(), RUN_LOST),
                host::isTooLate));
  }

  private CallRun unknown() throws InterruptedException {
    String error = "tool_unknown: the worker has no tool \"" + call.name() + "\" of this kind";
    return written(
        box.stores
            .insist()
            .on(
                () -> box.stores.calls().record().refuse(host.lease(), call.place(), error),
                host::isTooLate));
  }

  static CallRun written(Optional<Written> written) {
    return written.orElse(Written.LEASE_LOST) == Written.YES
        ? CallRun.RECORDED
        : CallRun.LEASE_LOST;
  }
}
