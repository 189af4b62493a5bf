package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.worker.egress.Body;
import dev.coatcheck.worker.egress.BodySink;
import dev.coatcheck.worker.egress.Egress;
import dev.coatcheck.worker.egress.EgressRequest;
import dev.coatcheck.worker.egress.EgressResult;
import dev.coatcheck.worker.egress.EgressResult.Loss;
import dev.coatcheck.worker.egress.EgressResult.Lost;
import dev.coatcheck.worker.egress.EgressResult.NotSent;
import dev.coatcheck.worker.egress.EgressResult.Reach;
import dev.coatcheck.worker.egress.EgressResult.Response;
import dev.coatcheck.worker.egress.EgressResult.Unsent;
import dev.coatcheck.worker.egress.Headers;
import dev.coatcheck.worker.egress.OutboundCall;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.dao.DataAccessException;

/** The door out, with provider and tools right behind it. Its bodies are handed over whole. */
final class SimulatedEgress implements Egress {
  private static final long LOOK = Duration.ofSeconds(2).toNanos();

  private final Schedule schedule;
  private final Probe probe;
  private final Ledger ledger;
  private final Effects effects;
  private final SimulatedDatabase database;

  SimulatedEgress(World world) {
    this.schedule = world.schedule;
    this.probe = world.probe;
    this.ledger = world.ledger;
    this.effects = world.effects;
    this.database = world.lane.database;
  }

  @Override
  public EgressResult exchange(EgressRequest request, OutboundCall handle, BodySink sink) {
    boolean isTool = Effects.HOST.equals(request.uri().getHost());
    Ledger.Begun begun =
        isTool ? effects.begin(request, this::isClaimed) : ledger.begin(request.body().text());
    schedule.note(
        "sends %s %d of %s"
            .formatted(
                isTool ? "to a tool, call" : "call", begun.call().number(), begun.call().job()));
    var exchange = new Exchange(request, handle, begun, schedule.now());
    try {
      return exchange.run();
    } catch (DataAccessException struck) {
      return exchange.lost(Loss.CONNECTION);
    }
  }

  private boolean isClaimed(String effectKey) {
    return database
        .outside()
        .sql(
            "select exists (select from tool_call where effect_key = ? and started_at is not null)")
        .param(effectKey)
        .query(Boolean.class)
        .single();
  }

  @Override
  public void close() {}

  private final class Exchange {
    private final OutboundCall handle;
    private final Call call;
    private final Reply reply;
    private final long start;
    private final long timeout;

    Exchange(EgressRequest request, OutboundCall handle, Ledger.Begun begun, long start) {
      this.handle = handle;
      this.call = begun.call();
      this.reply = begun.reply();
      this.start = start;
      this.timeout = start + request.timeout().toNanos();
    }

    EgressResult run() {
      if (reply.kind() == Reply.Kind.UNREACHABLE) {
        schedule.rest(reply.after());
        return new NotSent(Unsent.REFUSED, took());
      }
      probe.reach(Checkpoint.K2_HALF_SENT);
      if (handle.aborted().isPresent()) {
        return new EgressResult.Aborted(handle.aborted().get(), Reach.MAYBE_SENT, took());
      }
      call.receive();
      probe.reach(Checkpoint.K3_SENT);
      long half = reply.after().toNanos() / 2;
      Optional<EgressResult> broken = await(half);
      if (broken.isEmpty() && reply.kind() == Reply.Kind.LOSE) {
        broken = Optional.of(lost(Loss.CONNECTION));
      }
      if (broken.isEmpty()) {
        probe.reach(Checkpoint.K4_MID_BODY);
        broken = await(reply.after().toNanos() - half);
      }
      return broken.orElseGet(this::whole);
    }

    private EgressResult whole() {
      call.deliver();
      return new Response(
          reply.status(),
          new Headers(
              reply.retryAfter().isEmpty()
                  ? Map.of()
                  : Map.of("retry-after", List.of(reply.retryAfter()))),
          Body.utf8(reply.body().replace("%CALL%", Integer.toString(call.number()))),
          took());
    }

    private Optional<EgressResult> await(long nanos) {
      long end = schedule.now() + nanos;
      while (schedule.now() < end) {
        if (handle.aborted().isPresent()) {
          return Optional.of(
              new EgressResult.Aborted(handle.aborted().get(), Reach.MAYBE_SENT, took()));
        }
        if (schedule.now() >= timeout) {
          return Optional.of(lost(Loss.TIMEOUT));
        }
        schedule.rest(Math.min(LOOK, end - schedule.now()));
      }
      return Optional.empty();
    }

    EgressResult lost(Loss loss) {
      return new Lost(loss, null, took());
    }

    private Duration took() {
      return Duration.ofNanos(schedule.now() - start);
    }
  }
}
