package dev.coatcheck.chaos.simulation;

import dev.coatcheck.chaos.simulation.Plot.Event;
import dev.coatcheck.db.job.Budget;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.tool.ToolSafety;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Draws a history's plot from its seed, or makes one around one strike. */
final class DrawPlot {
  private static final List<Checkpoint> POINTS = Points.ALL;
  private static final Act[] ACTS = Act.values();
  private static final int CALM_ONE_IN = 10;

  /** Those that a worker runs. */
  private static final List<ToolSafety> SERVED =
      List.of(
          ToolSafety.READ_ONLY,
          ToolSafety.KEYED,
          ToolSafety.AT_MOST_ONCE,
          ToolSafety.TRANSACTIONAL);

  private final Random random;
  private final List<Scenario> jobs = new ArrayList<>();
  private final List<Strike> strikes = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();

  private DrawPlot(long seed) {
    this.random = new Random(seed);
  }

  /**
   * One in ten is calm. The others strike at one point in turn, so that each act comes to each
   * point, and at up to two more.
   */
  static Plot of(long seed) {
    var draw = new DrawPlot(seed);
    int count = 1 + draw.random.nextInt(3);
    if (draw.random.nextInt(CALM_ONE_IN) == 0) {
      for (int i = 0; i < count; i++) {
        draw.jobs.add(draw.job(Completion.PLENTY));
      }
    } else {
      draw.stormy(seed, count);
    }
    return new Plot(draw.jobs, draw.strikes, draw.events);
  }

  /** Two jobs and one strike. */
  static Plot around(Strike strike) {
    var draw = new DrawPlot(strike.toString().hashCode());
    draw.lead(strike.point(), draw.with());
    draw.jobs.add(draw.with());
    draw.strikes.add(strike);
    return new Plot(draw.jobs, draw.strikes, draw.events);
  }

  /** One job with that tool, and one strike. */
  static Plot around(Strike strike, ToolSafety safety) {
    var draw = new DrawPlot((strike + safety.text()).hashCode());
    draw.jobs.add(draw.toolJob(safety, List.of()));
    draw.strikes.add(strike);
    return new Plot(draw.jobs, draw.strikes, draw.events);
  }

  private void stormy(long seed, int count) {
    long combinations = (long) POINTS.size() * ACTS.length;
    int turn = (int) (seed % combinations);
    Checkpoint point = POINTS.get(turn / ACTS.length);
    strikes.add(new Strike(point, 1 + random.nextInt(2), ACTS[turn % ACTS.length]));
    for (int more = random.nextInt(3); more > 0; more--) {
      strikes.add(
          new Strike(
              POINTS.get(random.nextInt(POINTS.size())),
              1 + random.nextInt(3),
              ACTS[random.nextInt(ACTS.length)]));
    }
    lead(point, job(Completion.PLENTY));
    for (int i = 1; i < count; i++) {
      jobs.add(job(random.nextInt(6) == 0 ? seconds(20, 60) : Completion.PLENTY));
    }
    if (random.nextInt(4) == 0) {
      events.add(new Event.Cancel(seconds(0, 40), random.nextInt(count)));
    }
    if (random.nextInt(6) == 0) {
      events.add(new Event.Kill(seconds(2, 40)));
    }
    if (random.nextInt(6) == 0) {
      events.add(new Event.Stop(seconds(2, 40)));
    }
    if (random.nextInt(6) == 0) {
      events.add(new Event.LoseDispatches(seconds(1, 30)));
    }
  }

  /** A first job, and events, that lead to this point. */
  private void lead(Checkpoint point, Scenario usual) {
    switch (point) {
      case W4_CANCELLED -> {
        jobs.add(with(Completion.answer(Duration.ofSeconds(20))));
        jobs.add(with(Completion.answer(Duration.ofSeconds(20))));
        events.add(new Event.Cancel(Duration.ofSeconds(6), 0));
        events.add(new Event.Cancel(Duration.ofSeconds(8), 1));
      }
      case K11_BETWEEN_STEPS ->
          jobs.add(
              with(
                  Reply.rateLimited(Duration.ofSeconds(1)),
                  Reply.rateLimited(Duration.ofSeconds(1))));
      case K8_CLAIMED, K9_EFFECT_DONE, K10_RESULT_RECORDED ->
          jobs.add(toolJob(SERVED.get(random.nextInt(SERVED.size())), toolScript()));
      case K16_PARKED ->
          jobs.add(with(Reply.rateLimited(seconds(4, 20)), Reply.rateLimited(seconds(4, 20))));
      case K17_RENEWED -> jobs.add(with(Completion.answer(Duration.ofSeconds(35))));
      case K18_REAPED -> {
        jobs.add(with(Completion.answer(Duration.ofSeconds(45))));
        events.add(new Event.Kill(Duration.ofSeconds(12)));
      }
      case K19_RECONCILED -> {
        jobs.add(with(Reply.rateLimited(Duration.ofSeconds(60))));
        events.add(new Event.LoseDispatches(Duration.ofSeconds(20)));
      }
      case K20_STOPPING -> {
        jobs.add(with(Completion.answer(Duration.ofSeconds(40))));
        events.add(new Event.Stop(Duration.ofSeconds(8)));
      }
      default -> jobs.add(usual); // every job that is answered comes to the others
    }
  }

  private Completion with(Reply... script) {
    return new Completion(List.of(script), usual(), budget(), Completion.PLENTY);
  }

  private ToolJob toolJob(ToolSafety safety, List<Reply> script) {
    return new ToolJob(safety, script, usual(), budget(), Completion.PLENTY);
  }

  private List<Reply> toolScript() {
    return switch (random.nextInt(6)) {
      case 0 -> List.of(Reply.lost(seconds(1, 6)));
      case 1 -> List.of(Reply.unreachable());
      case 2 -> List.of(Reply.unavailable());
      default -> List.of();
    };
  }

  /** One in three asks for tools. */
  private Scenario job(Duration deadline) {
    ToolSafety[] safeties = ToolSafety.values();
    return random.nextInt(3) == 0
        ? new ToolJob(
            safeties[random.nextInt(safeties.length)], toolScript(), usual(), budget(), deadline)
        : completion(deadline);
  }

  private Completion completion(Duration deadline) {
    var script = new ArrayList<Reply>();
    for (int calls = random.nextInt(3); calls > 0; calls--) {
      script.add(reply());
    }
    return new Completion(script, usual(), budget(), deadline);
  }

  private Reply reply() {
    return switch (random.nextInt(8)) {
      case 0 -> Reply.rateLimited(Duration.ofSeconds(1));
      case 1 -> Reply.rateLimited(seconds(3, 15));
      case 2 -> Reply.lost(seconds(1, 6));
      case 3 -> Reply.unreachable();
      case 4 -> Reply.invalid();
      default -> Completion.answer(seconds(1, 45));
    };
  }

  /** Half of them are still at it when somebody who stood still comes back. */
  private Duration usual() {
    return random.nextBoolean() ? seconds(1, 4) : seconds(25, 55);
  }

  private Budget budget() {
    return new Budget(4 + random.nextInt(3), 8, Duration.ofMinutes(10), Duration.ofSeconds(60));
  }

  private Duration seconds(int from, int to) {
    return Duration.ofMillis(random.nextInt(from * 1_000, to * 1_000));
  }
}
