package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.probe.Checkpoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What happened, so that a simulation in which too little did is a failed one. */
final class Tally {
  private final Map<Checkpoint, Integer> reached = new HashMap<>();
  private final Map<String, Integer> fired = new HashMap<>();
  private final Map<String, Integer> seen = new HashMap<>();

  static Tally of(World world) {
    var tally = new Tally();
    tally.reached.putAll(world.probe.occurrences());
    world.probe.fired().forEach(strike -> tally.fired.merge(name(strike), 1, Integer::sum));
    var database = world.lane.database.outside();
    tally.see("a stale write refused", (int) world.staleWrites());
    tally.see(
        "a lease reaped",
        number(
            database,
            "select count(*) from coatcheck_audit.job_move where to_deaths > from_deaths"));
    tally.see(
        "a dispatch reconciled",
        number(
            database,
            """
            select count(*) from coatcheck_audit.job_move
            where from_status = 'queued' and to_status = 'queued' and to_dispatch > from_dispatch"""));
    tally.see(
        "an indeterminate attempt",
        number(database, "select count(*) from attempt where state = 'indeterminate'"));
    tally.see(
        "a tool call in doubt",
        number(
            database,
            "select count(*) from tool_call where state = 'in_doubt' or outcome = 'resolve'"));
    tally.see(
        "a tool call of two runs",
        number(database, "select count(*) from tool_call where reply_lost and state = 'done'"));
    for (String call :
        database
            .sql("select safety from tool_call where state = 'done' and outcome is null")
            .query(String.class)
            .list()) {
      tally.see("done, " + call, 1);
    }
    tally.see(
        "a caller's output",
        number(database, "select count(*) from tool_call where outcome = 'output'"));
    for (String status : database.sql("select status from job").query(String.class).list()) {
      tally.see("a job " + status, 1);
    }
    return tally;
  }

  private static int number(JdbcClient database, String sql) {
    return database.sql(sql).query(Integer.class).single();
  }

  private static String name(Strike strike) {
    return strike.act() + " at " + strike.point();
  }

  private void see(String what, int times) {
    seen.merge(what, times, Integer::sum);
  }

  void add(Tally other) {
    other.reached.forEach((point, times) -> reached.merge(point, times, Integer::sum));
    other.fired.forEach((strike, times) -> fired.merge(strike, times, Integer::sum));
    other.seen.forEach((what, times) -> seen.merge(what, times, Integer::sum));
  }

  /** What was never seen and should have been. */
  List<String> missing() {
    var missing = new ArrayList<String>();
    for (Checkpoint point : Points.ALL) {
      if (!reached.containsKey(point)) {
        missing.add(point + " was never reached");
      }
      for (Act act : Act.values()) {
        if (!fired.containsKey(act + " at " + point)) {
          missing.add("never seen: " + act + " at " + point);
        }
      }
    }
    for (String what :
        List.of(
            "a stale write refused",
            "a lease reaped",
            "a dispatch reconciled",
            "an indeterminate attempt",
            "a tool call in doubt",
            "a tool call of two runs",
            "a caller's output",
            "done, read-only",
            "done, keyed",
            "done, at-most-once",
            "done, transactional",
            "a job completed",
            "a job failed",
            "a job cancelled",
            "a job expired")) {
      if (seen.getOrDefault(what, 0) == 0) {
        missing.add("never seen: " + what);
      }
    }
    return missing;
  }

  int seen(String what) {
    return seen.getOrDefault(what, 0);
  }

  boolean hasFired(Strike strike) {
    return fired.containsKey(name(strike));
  }

  @Override
  public String toString() {
    return "reached %s\nfired %s\nseen %s".formatted(reached, fired, seen);
  }
}
