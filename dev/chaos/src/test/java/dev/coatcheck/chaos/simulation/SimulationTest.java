package dev.coatcheck.chaos.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.tool.ToolSafety;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Histories drawn from seeds; {@code simulation.first} and {@code simulation.histories} say which,
 * or {@code simulation.seed} the one.
 */
class SimulationTest {
  private static final String ONE = System.getProperty("simulation.seed", "");
  private static final int FIRST = Integer.getInteger("simulation.first", 1);
  private static final int MANY = Integer.getInteger("simulation.histories", 500);

  /** Those that failed once come first. */
  private static List<Long> seeds() throws IOException {
    if (!ONE.isEmpty()) {
      return List.of(Long.parseLong(ONE));
    }
    return LongStream.concat(kept(), LongStream.range(FIRST, FIRST + MANY)).boxed().toList();
  }

  /** One a line: the seed, the commit it failed at, what went wrong. */
  private static LongStream kept() throws IOException {
    try (var in = SimulationTest.class.getResourceAsStream("kept-seeds.txt")) {
      if (in == null) {
        throw new IllegalStateException("the kept seeds are gone");
      }
      return new String(in.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .mapToLong(line -> Long.parseLong(line.split(" ", 2)[0]));
    }
  }

  @Tag("chaos")
  @Test
  void nothing_is_lost_and_nothing_is_done_twice_in_any_history() throws Exception {
    var tally = new Tally();
    var failed = new ArrayList<String>();
    for (History history : Lanes.all(seeds(), History::of)) {
      tally.add(history.tally());
      if (!history.holds()) {
        failed.add(history.story());
      } else if (!ONE.isEmpty()) {
        System.out.println(history.story());
      }
    }
    assertThat(failed).as(String.join("\n\n", failed)).isEmpty();
    if (ONE.isEmpty()) {
      System.out.println("simulation, " + MANY + " histories: " + tally);
      assertThat(tally.missing()).isEmpty();
    }
  }

  @Test
  void each_act_at_each_checkpoint_is_survived() throws Exception {
    assumeThat(ONE).isEmpty();
    var strikes = new ArrayList<Strike>();
    for (Checkpoint point : Points.ALL) {
      for (Act act : Act.values()) {
        strikes.add(new Strike(point, 1, act));
        strikes.add(new Strike(point, 2, act));
      }
    }
    var failed = new ArrayList<String>();
    for (History history :
        Lanes.all(
            strikes,
            (lane, strike) -> History.of(lane, strikes.indexOf(strike), DrawPlot.around(strike)))) {
      Strike strike = history.plot().strikes().getFirst();
      if (!history.holds()) {
        failed.add(strike + "\n" + history.story());
      } else if (!history.tally().hasFired(strike)) {
        failed.add(strike + " never came about");
      }
    }
    assertThat(failed).as(String.join("\n\n", failed)).isEmpty();
  }

  /** Where a call of this safety passes by: the caller's own are run by nobody here. */
  private static List<Checkpoint> way(ToolSafety safety) {
    return safety == ToolSafety.CLIENT
        ? List.of(
            Checkpoint.K1_ACQUIRED,
            Checkpoint.K5_REPLIED,
            Checkpoint.K6_RECORDED,
            Checkpoint.K7_RECORD_KNOWN,
            Checkpoint.K12_ENDING,
            Checkpoint.K13_ENDED,
            Checkpoint.K16_PARKED)
        : List.of(
            Checkpoint.K1_ACQUIRED,
            Checkpoint.K5_REPLIED,
            Checkpoint.K6_RECORDED,
            Checkpoint.K7_RECORD_KNOWN,
            Checkpoint.K8_CLAIMED,
            Checkpoint.K9_EFFECT_DONE,
            Checkpoint.K10_RESULT_RECORDED,
            Checkpoint.K11_BETWEEN_STEPS,
            Checkpoint.K12_ENDING,
            Checkpoint.K13_ENDED);
  }

  /** A job ends once, and its run need not be taken up again unless it waits for its caller. */
  private static boolean isPassedTwice(Checkpoint point, ToolSafety safety) {
    return switch (point) {
      case K12_ENDING, K13_ENDED -> false;
      case K1_ACQUIRED -> safety == ToolSafety.CLIENT;
      default -> true;
    };
  }

  private record Case(ToolSafety safety, Strike strike) {}

  private static List<Case> cases() {
    var cases = new ArrayList<Case>();
    for (ToolSafety safety : ToolSafety.values()) {
      for (Checkpoint point : way(safety)) {
        for (Act act : List.of(Act.HALT, Act.PAUSE, Act.PRETEND)) {
          cases.add(new Case(safety, new Strike(point, 1, act)));
          if (isPassedTwice(point, safety)) {
            cases.add(new Case(safety, new Strike(point, 2, act)));
          }
        }
      }
    }
    return cases;
  }

  @Test
  void each_tool_keeps_its_promise_at_each_checkpoint() throws Exception {
    assumeThat(ONE).isEmpty();
    List<Case> cases = cases();
    var tally = new Tally();
    var failed = new ArrayList<String>();
    List<History> histories =
        Lanes.all(
            cases,
            (lane, one) ->
                History.of(lane, cases.indexOf(one), DrawPlot.around(one.strike(), one.safety())));
    for (int i = 0; i < cases.size(); i++) {
      History history = histories.get(i);
      tally.add(history.tally());
      if (!history.holds()) {
        failed.add(cases.get(i) + "\n" + history.story());
      } else if (!history.tally().hasFired(cases.get(i).strike())) {
        failed.add(cases.get(i) + " never came about");
      }
    }
    System.out.println("simulation, tools: " + tally);
    assertThat(failed).as(String.join("\n\n", failed)).isEmpty();
    assertThat(tally.seen("a tool call of two runs")).isPositive();
    assertThat(tally.seen("a stale write refused")).isPositive();
    assertThat(tally.seen("a tool call in doubt")).isPositive();
  }

  @Test
  void the_same_seed_makes_the_same_history() throws Exception {
    assumeThat(ONE).isEmpty();
    List<Long> twice = List.of(3L, 3L, 17L, 17L, 44L, 44L, 61L, 61L, 62L, 62L);
    List<History> histories = Lanes.all(twice, History::of);
    for (int i = 0; i < histories.size(); i += 2) {
      assertThat(histories.get(i).trace())
          .hasSizeGreaterThan(10)
          .isEqualTo(histories.get(i + 1).trace());
    }
  }
}
