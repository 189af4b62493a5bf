package dev.coatcheck.chaos;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** One run: callers at work, faults, healing, and then every check. */
final class ChaosRun {
  /** RELIABILITY's bound on the time from the last fault until nothing is stranded. */
  private static final Duration TO_CONVERGE = Duration.ofMinutes(2);

  private static final Duration TO_SEND = Duration.ofSeconds(10);

  private static final Duration HEAD_START = Duration.ofSeconds(2);

  /** Ends of a job that would have been completed, had nothing been in its way. */
  private static final Set<String> LAWFUL_CODES =
      Set.of("cancelled", "attempts_exhausted", "poisoned", "deadline_exceeded");

  private final Size size;
  private final long seed;

  ChaosRun(Size size, long seed) {
    this.size = size;
    this.seed = seed;
  }

  /**
   * @param directory for the database and the logs
   */
  Report run(Path directory) throws InterruptedException {
    try (var cluster = Cluster.start(directory, size);
        var fleet = new Fleet(cluster, size, seed);
        var watch = new Watch(cluster)) {
      Invariant.installAudit(cluster.sql());
      return run(cluster, fleet, watch);
    }
  }

  private Report run(Cluster cluster, Fleet fleet, Watch watch) throws InterruptedException {
    long start = System.nanoTime();
    var nemesis = new Nemesis(cluster, fleet, seed);
    fleet.start();
    Cluster.rest(HEAD_START.toMillis());
    nemesis.carryOut(size.schedule(seed), size.killsAtEachCheckpoint());
    long healed = System.nanoTime();
    fleet.enough();
    var toCome = size.over().minusNanos(healed - start);
    var limit = toCome.isNegative() ? TO_CONVERGE : TO_CONVERGE.plus(toCome);
    boolean converged = Cluster.holdsWithin(limit, () -> hasConverged(cluster, fleet));
    var convergence = Duration.ofNanos(System.nanoTime() - healed);
    fleet.askAllAgain();
    var database = cluster.sql();
    var trail = Trail.read(database);
    var checks = new ArrayList<Check>();
    checks.add(convergence(converged, fleet));
    checks.addAll(ofTheDatabase(cluster, trail));
    checks.addAll(new CheckHistory(fleet.history(), trail.rows(), nemesis.outages()).all());
    var received = cluster.simulator().received("");
    checks.addAll(CheckLedger.read(fleet.errands(), received, database).all());
    checks.add(new CheckUsage(received, fleet.errands()).check(database));
    checks.addAll(CheckEffects.read(cluster.effects(), database).all());
    checks.add(CheckHooks.check(cluster.hooks(), database));
    checks.add(rightEnds(fleet, trail));
    checks.add(noneEndedByItself(cluster));
    checks.add(nothingHeld(cluster, watch));
    checks.add(
        new Check(
            "I10",
            "no answer shows what is another tenant's",
            fleet.history().size() + " answers",
            fleet.leaks()));
    checks.add(new CheckCanaries(cluster).check());
    checks.addAll(new CheckPace(trail.times(), watch, nemesis.stops()).all());
    var gate =
        new Gate(size, nemesis.fired(), nemesis.workerPoints(), trail, cluster.staleWrites());
    var took = Duration.ofNanos(System.nanoTime() - start);
    return new Report(size, seed, took, convergence, nemesis, gate, checks);
  }

  private static Check nothingHeld(Cluster cluster, Watch watch) {
    return new Check(
        "I9",
        "no healthy process idles in a transaction",
        "%d looks, %d calls open at once on engine pools of %d connections in all"
            .formatted(
                watch.looks(),
                cluster.simulator().counts().peakOpen(),
                Cluster.POOL * cluster.workers().size()),
        watch.held());
  }

  private static boolean hasConverged(Cluster cluster, Fleet fleet) {
    if (!fleet.isDone() || !cluster.members().allMatch(Member::isReady)) {
      return false;
    }
    var database = cluster.sql(Duration.ZERO);
    int open =
        database
            .sql(
                "select count(*) from job where status in ('queued', 'in_progress', 'requires_action')")
            .query(Integer.class)
            .single();
    return open == 0
        && Invariant.NOTHING_STRANDED.broken(database).isEmpty()
        && Invariant.WEBHOOKS_DELIVERED.broken(database).isEmpty();
  }

  private Check convergence(boolean converged, Fleet fleet) {
    var broken =
        converged ? List.<String>of() : List.of("open or stranded: " + fleet.openErrands());
    return new Check(
        "I12", "nothing is open 120 s after the last fault", size.jobs() + " jobs", broken);
  }

  private static List<Check> ofTheDatabase(Cluster cluster, Trail trail) {
    var checks = new ArrayList<Check>();
    for (var invariant : Invariant.values()) {
      // The next try of a webhook falls due at any time, also while we look.
      var grace = invariant == Invariant.WEBHOOKS_DELIVERED ? TO_SEND : Duration.ZERO;
      checks.add(
          new Check(
              invariant.number(),
              invariant.file(),
              trail.rows().size() + " jobs",
              invariant.broken(cluster.sql(grace))));
    }
    return checks;
  }

  private static Check rightEnds(Fleet fleet, Trail trail) {
    var broken = new ArrayList<String>();
    for (var errand : fleet.errands()) {
      var row = trail.rows().get(errand.key());
      var code = errand.succeeds() ? "" : "invalid_request";
      if (row != null && !row.errorCode().equals(code) && !LAWFUL_CODES.contains(row.errorCode())) {
        broken.add(errand.key() + " ended as " + row + ": " + errand.body().strip());
      }
    }
    return new Check(
        "end", "jobs end as their provider says", fleet.errands().size() + " jobs", broken);
  }

  private static Check noneEndedByItself(Cluster cluster) {
    var broken = cluster.members().flatMap(member -> member.endedByItself().stream()).toList();
    int failedStarts = cluster.members().mapToInt(Member::failedStarts).sum();
    return new Check(
        "I15",
        "no process ends by itself once it was ready",
        "%d processes, %d starts broke off".formatted(cluster.members().count(), failedStarts),
        broken);
  }
}
