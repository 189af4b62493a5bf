package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.lease.ExpireJobs;
import dev.coatcheck.db.lease.ReapLeases;
import dev.coatcheck.db.lease.ReconcileDispatches;
import java.time.Duration;
import java.util.function.Supplier;

/** A process that reaps, expires and reconciles, as each worker does beside its runs. */
final class Healer {
  private static final Duration EXPIRE = Duration.ofSeconds(4);
  private static final int REAP_EACH = 2;
  private static final int RECONCILE_EACH = 5;
  private static final int MAX_DEATHS = 5;

  private final World world;
  private final ReapLeases reaper;
  private final ExpireJobs expirer;
  private final ReconcileDispatches reconciler;

  Healer(World world) {
    this.world = world;
    Lane lane = world.lane;
    this.reaper = new ReapLeases(lane.engine, lane.dispatches, lane.notifier(), MAX_DEATHS);
    this.expirer = new ExpireJobs(lane.engine, lane.notifier());
    this.reconciler = new ReconcileDispatches(lane.engine, lane.dispatches);
  }

  void run() {
    world.schedule.rest(world.schedule.random().nextLong(EXPIRE.toNanos()));
    for (int round = 1; ; round++) {
      world.schedule.rest(EXPIRE);
      quietly(expirer::expire);
      if (round % REAP_EACH == 0) {
        quietly(reaper::reap);
      }
      if (round % RECONCILE_EACH == 0) {
        quietly(reconciler::reconcile);
      }
    }
  }

  private void quietly(Supplier<?> work) {
    try {
      Object _ = work.get();
    } catch (RuntimeException e) {
      world.schedule.note("a healer's round failed: " + e.getMessage());
    }
  }
}
