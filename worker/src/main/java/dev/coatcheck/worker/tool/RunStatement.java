package dev.coatcheck.worker.tool;

import dev.coatcheck.db.call.SqlOutcome;
import dev.coatcheck.db.call.SqlTool;
import dev.coatcheck.db.call.ToolCallRow;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.tool.ToolDefinition;
import dev.coatcheck.db.tool.ToolWork;
import java.time.Duration;
import java.util.Optional;

/** Runs a call whose tool is SQL: it is done in the transaction that records it, or not at all. */
final class RunStatement {
  /** After the nth conflict with other transactions, n times that and a share by chance. */
  private static final Duration CONFLICT = Duration.ofMillis(100);

  private static final Duration BUSY = Duration.ofSeconds(1);

  /** Without a connection, and a share by chance. */
  private static final Duration NO_ROOM = Duration.ofMillis(50);

  private final Toolbox box;
  private final Host host;
  private final ToolCallRow call;

  RunStatement(Toolbox box, Host host, ToolCallRow call) {
    this.box = box;
    this.host = host;
    this.call = call;
  }

  CallRun run(ToolDefinition tool, ToolWork.Sql sql) throws InterruptedException {
    var statement = new SqlTool(sql.statement(), RawJson.of(call.arguments()), tool.timeout());
    int conflicts = 0;
    while (true) {
      if (host.stopped().isPresent()) {
        return CallRun.STOPPED;
      }
      Optional<SqlOutcome> outcome =
          box.stores
              .insist()
              .on(
                  () -> box.stores.calls().sql().run(host.lease(), call, statement),
                  () -> host.isTooLate() || host.stopped().isPresent());
      switch (outcome.orElseGet(SqlOutcome.LeaseLost::new)) {
        case SqlOutcome.Done _ -> {
          box.count(tool.name(), "answered");
          return CallRun.RECORDED;
        }
        case SqlOutcome.LeaseLost _ -> {
          return host.stopped().isPresent() ? CallRun.STOPPED : CallRun.LEASE_LOST;
        }
        case SqlOutcome.Refused refused -> {
          return refuse(tool, refused.message());
        }
        case SqlOutcome.Busy _ -> host.pause(BUSY);
        case SqlOutcome.NoRoom _ -> host.pause(spread(NO_ROOM));
        case SqlOutcome.Conflict conflict -> {
          conflicts++;
          if (conflicts >= Limits.SENDS) {
            return refuse(tool, conflict.message());
          }
          host.pause(spread(CONFLICT.multipliedBy(conflicts)));
        }
      }
    }
  }

  private Duration spread(Duration pause) {
    return pause.plusMillis(box.manner.random().nextInt(100));
  }

  private CallRun refuse(ToolDefinition tool, String message) throws InterruptedException {
    box.count(tool.name(), "told");
    String error = box.texts.of(message);
    return RunCall.written(
        box.stores
            .insist()
            .on(
                () -> box.stores.calls().record().refuse(host.lease(), call.place(), error),
                host::isTooLate));
  }
}
