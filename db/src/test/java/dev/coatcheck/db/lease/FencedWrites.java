package dev.coatcheck.db.lease;

import dev.coatcheck.db.event.EventType;
import dev.coatcheck.db.event.NewEvent;
import dev.coatcheck.db.lease.LeaveJob.LastAct;
import dev.coatcheck.db.step.TurnRecord;
import dev.coatcheck.db.tool.CallState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Each fenced write, what comes before it and what it says; the name of a method with several ways
 * has one entry for each.
 */
final class FencedWrites {
  private final LeaseStores stores;
  private final CallWrites calls;
  private final Map<String, Write> all;

  FencedWrites(LeaseStores stores) {
    this.stores = stores;
    this.calls = new CallWrites(stores);
    this.all =
        Map.ofEntries(
            after(FencedWrites::nothing, "AppendEvents.append", this::appendEvent),
            after(FencedWrites::nothing, "AppendDeltas.append", this::appendDelta),
            after(FencedWrites::nothing, "AttemptLedger.open", this::open),
            after(FencedWrites::nothing, "AttemptLedger.pause", this::pause),
            after(FencedWrites::nothing, "LeaveJob.leave, ended", this::end),
            after(FencedWrites::nothing, "LeaveJob.leave, parked", this::park),
            after(FencedWrites::nothing, "LeaveJob.leave, released", this::release),
            after(FencedWrites::nothing, "RenewLeases.renew", this::renew),
            after(
                FencedWrites::nothing,
                "RecordTurn.record",
                job -> calls.ask(job, CallState.PENDING)),
            after(calls::askPending, "ClaimCall.claim", calls::claim),
            after(calls::askPending, "RunSql.run", calls::runSql),
            after(calls::askPending, "RecordCall.refuse", calls::refuse),
            after(calls::askAndClaim, "RecordCall.doubt", calls::doubt),
            after(
                job -> calls.ask(job, CallState.AWAITING_OUTPUT),
                "AwaitPeople.leave",
                calls::awaitPeople));
  }

  /** Something done with a job that was acquired. */
  @FunctionalInterface
  interface Act {
    Written with(LeasedJob job);
  }

  /** What a job needs before. */
  @FunctionalInterface
  interface Before {
    void with(LeasedJob job);
  }

  private record Write(Before before, Act act) {}

  private static Map.Entry<String, Write> after(Before before, String name, Act act) {
    return Map.entry(name, new Write(before, act));
  }

  Iterable<String> names() {
    return all.keySet();
  }

  /** A job that is ready for that write. */
  LeasedJob ready(String name) {
    LeasedJob job = stores.acquired();
    Objects.requireNonNull(all.get(name)).before.with(job);
    return job;
  }

  Written write(String name, LeasedJob job) {
    return Objects.requireNonNull(all.get(name)).act.with(job);
  }

  private static void nothing(LeasedJob job) {
    Objects.requireNonNull(job);
  }

  private Written appendEvent(LeasedJob job) {
    var event = new NewEvent(EventType.TOOL_STARTED, "{}");
    return stores.append.append(job.lease(), List.of(event)).isPresent()
        ? Written.YES
        : Written.LEASE_LOST;
  }

  private Written appendDelta(LeasedJob job) {
    int events = stores.events(job.lease().job()).size();
    var piece = new AppendDeltas.Piece(job.lease(), events, EventType.OUTPUT_DELTA, "{}");
    return stores.deltas.append(List.of(piece)).isEmpty() ? Written.LEASE_LOST : Written.YES;
  }

  private Written open(LeasedJob job) {
    return stores.attempts.open(job.lease(), 1, 2);
  }

  private Written pause(LeasedJob job) {
    return stores.attempts.pause(job.lease(), LeaseStores.refused(1), Duration.ofSeconds(1));
  }

  private Written end(LeasedJob job) {
    var turn = new TurnRecord(1, 1, new byte[] {'{', '}'}, "stop");
    return stores.leave.leave(
        job, LeaseStores.completed(), new LastAct(LeaseStores.refused(1), turn));
  }

  private Written park(LeasedJob job) {
    return stores.leave.leave(
        job,
        new Departure.Parked(Duration.ofSeconds(5), "rate_limited", "429"),
        new LastAct(LeaseStores.refused(1), null));
  }

  private Written release(LeasedJob job) {
    return stores.leave.leave(job, new Departure.Released(), LastAct.none());
  }

  private Written renew(LeasedJob job) {
    return stores.renew.renew(List.of(job.lease())).renewed().isEmpty()
        ? Written.LEASE_LOST
        : Written.YES;
  }
}
