package dev.coatcheck.chaos;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What one run showed.
 *
 * @param took from the first submit to the last check
 * @param converged from the last fault's end until nothing was open or stranded
 */
record Report(
    Size size,
    long seed,
    Duration took,
    Duration converged,
    Nemesis nemesis,
    Gate gate,
    List<Check> checks) {
  private static final int MOST_BROKEN_SHOWN = 10;

  Report {
    checks = List.copyOf(checks);
  }

  boolean passed() {
    return gate.missing().isEmpty() && checks.stream().allMatch(Check::holds);
  }

  /** How the same faults are drawn again; what they meet may differ. */
  String replay() {
    return "./mvnw verify -pl dev/chaos -am -Dtest=ChaosTest -Dsurefire.failIfNoSpecifiedTests=false"
        + " -Dchaos.size=%s -Dchaos.seed=%d".formatted(size.name().toLowerCase(Locale.ROOT), seed);
  }

  List<String> lines() {
    var lines = new ArrayList<String>();
    lines.add(
        "chaos %s, seed %d: %s"
            .formatted(size.name(), seed, passed() ? "everything held" : "SOMETHING BROKE"));
    lines.add(
        "  %d s, of them %.1f s from the last fault until nothing was open"
            .formatted(took.toSeconds(), converged.toMillis() / 1000.0));
    lines.add("  faults that hit: " + new TreeMap<>(gate.fired()));
    lines.add(
        "  kills at checkpoints: %s, of apps: %s"
            .formatted(nemesis.workerPoints(), nemesis.appPoints()));
    lines.add(
        "  stale writes refused %.0f, jobs parked %d, leases reaped %d, dispatches reconciled %d, attempts indeterminate %d"
            .formatted(
                gate.staleWrites(),
                gate.trail().parks(),
                gate.trail().reaps(),
                gate.trail().reconciles(),
                gate.trail().indeterminate()));
    lines.add("  jobs by end: " + ends());
    lines.add("  " + movingAgain());
    nemesis.outages().stream().map(Report::recovery).forEach(lines::add);
    checks.forEach(check -> addCheck(lines, check));
    gate.missing().forEach(missing -> lines.add("  TOO LITTLE HAPPENED: " + missing));
    if (!passed()) {
      nemesis.diary().forEach(entry -> lines.add("    " + entry));
      lines.add("  again: " + replay());
    }
    return lines;
  }

  private Map<String, Long> ends() {
    return gate.trail().rows().values().stream()
        .collect(
            Collectors.groupingBy(
                row ->
                    row.errorCode().isEmpty() ? row.status() : row.status() + " " + row.errorCode(),
                TreeMap::new,
                Collectors.counting()));
  }

  private String movingAgain() {
    var moved = gate.trail().times().movedAgain();
    return moved.isEmpty()
        ? "no lost run moved again"
        : "from a lost run's last renewal until its job ran again: median %.1f s, most %.1f s, of %d; the slowest: %s"
            .formatted(
                moved.get(moved.size() / 2).seconds(),
                moved.getLast().seconds(),
                moved.size(),
                moved.getLast().story());
  }

  private static String recovery(Outage outage) {
    return "  after %s of %.1f s the apps were ready in %.1f s"
        .formatted(
            outage.kind(),
            (outage.healed() - outage.applied()) / 1e9,
            outage.recovery().toMillis() / 1000.0);
  }

  private static void addCheck(List<String> lines, Check check) {
    lines.add(
        "  %-4s %-52s %s; broken: %d"
            .formatted(check.number(), check.promise(), check.examined(), check.broken().size()));
    check.broken().stream()
        .limit(MOST_BROKEN_SHOWN)
        .forEach(broken -> lines.add("       BROKEN " + broken));
  }
}
