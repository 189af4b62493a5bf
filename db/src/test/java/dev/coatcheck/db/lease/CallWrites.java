package dev.coatcheck.db.lease;

import dev.coatcheck.db.call.AwaitPeople;
import dev.coatcheck.db.call.CallEnd;
import dev.coatcheck.db.call.CallResult;
import dev.coatcheck.db.call.ClaimCall;
import dev.coatcheck.db.call.RecordCall;
import dev.coatcheck.db.call.RunSql;
import dev.coatcheck.db.call.SqlOutcome;
import dev.coatcheck.db.call.SqlTool;
import dev.coatcheck.db.call.ToolCallRow;
import dev.coatcheck.db.call.WakeJob;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.step.NewToolCall;
import dev.coatcheck.db.step.TurnRecord;
import dev.coatcheck.db.tool.CallState;
import dev.coatcheck.db.tool.EffectKey;
import dev.coatcheck.db.tool.ToolSafety;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** The writes of a run about one tool call, and how a job comes to have that call. */
final class CallWrites {
  private static final byte[] ARGUMENTS = "{}".getBytes(StandardCharsets.UTF_8);
  private static final ClaimCall.Send FIRST = new ClaimCall.Send(1, ClaimCall.Earlier.ALL_ANSWERED);

  private final RecordTurn turns;
  private final ClaimCall claim;
  private final RecordCall record;
  private final RunSql sql;
  private final AwaitPeople people;

  CallWrites(LeaseStores stores) {
    var wake =
        new WakeJob(
            stores.database.sql(),
            stores.database.transaction(),
            stores.dispatches,
            stores.notifier);
    this.turns = new RecordTurn(stores.database, stores.notifier);
    this.claim = new ClaimCall(stores.database, stores.notifier);
    this.record = new RecordCall(stores.database, wake, stores.notifier);
    this.sql = new RunSql(stores.database, stores.pool, stores.notifier, 1);
    this.people = new AwaitPeople(stores.database, stores.notifier);
  }

  static EffectKey.Place place(LeasedJob job) {
    return new EffectKey.Place(job.lease().job(), 1, 1);
  }

  /** Records a first turn that asks for one tool. */
  Written ask(LeasedJob job, CallState state) {
    var call =
        new NewToolCall(place(job), "call_1", "look", ARGUMENTS, ToolSafety.KEYED, state, null);
    var turn = new TurnRecord(1, 1, ARGUMENTS, "tool_calls", List.of(call));
    return turns.record(job.lease(), LeaseStores.answered(1), turn);
  }

  void askPending(LeasedJob job) {
    ask(job, CallState.PENDING);
  }

  void askAndClaim(LeasedJob job) {
    askPending(job);
    claim(job);
  }

  Written claim(LeasedJob job) {
    return claim(job, FIRST) == ClaimCall.Result.CLAIMED ? Written.YES : Written.LEASE_LOST;
  }

  ClaimCall.Result claim(LeasedJob job, ClaimCall.Send send) {
    return claim.claim(job.lease(), place(job), send);
  }

  Written end(LeasedJob job) {
    var done = new CallEnd.Done(CallResult.text("done"));
    return record.end(job.lease(), place(job), done);
  }

  Written postpone(LeasedJob job) {
    return postpone(job, ClaimCall.Earlier.ALL_ANSWERED);
  }

  Written postpone(LeasedJob job, ClaimCall.Earlier earlier) {
    var send = new ClaimCall.Send(1, earlier);
    var wait = new RecordCall.Wait(Duration.ofSeconds(5), "rate_limited", "429", send);
    return record.postpone(job.lease(), place(job), wait);
  }

  Written doubt(LeasedJob job) {
    return record.doubt(job.lease(), place(job), "its run was lost");
  }

  Written refuse(LeasedJob job) {
    return record.refuse(job.lease(), place(job), "no such tool");
  }

  Written runSql(LeasedJob job) {
    return runSql(job, "select 1", Duration.ofSeconds(5)) instanceof SqlOutcome.Done
        ? Written.YES
        : Written.LEASE_LOST;
  }

  SqlOutcome runSql(LeasedJob job, String statement, Duration timeout) {
    var progress = new ToolCallRow.Progress(CallState.PENDING, 0, 0, false, null);
    var key = EffectKey.of(place(job), "look", ARGUMENTS);
    var call =
        new ToolCallRow(place(job), "look", ARGUMENTS, key, ToolSafety.TRANSACTIONAL, progress);
    return sql.run(job.lease(), call, new SqlTool(statement, RawJson.of(ARGUMENTS), timeout));
  }

  Written awaitPeople(LeasedJob job) {
    return people.leave(job.lease()) == AwaitPeople.Result.WAITS ? Written.YES : Written.LEASE_LOST;
  }
}
