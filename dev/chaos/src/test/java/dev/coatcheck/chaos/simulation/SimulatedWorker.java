package dev.coatcheck.chaos.simulation;

import dev.coatcheck.db.dispatch.DispatchEnd;
import dev.coatcheck.db.dispatch.RunStarter.Start;
import dev.coatcheck.db.dispatch.Slot;
import dev.coatcheck.db.dispatch.Slots;
import dev.coatcheck.db.event.ListenHub;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.lease.AcquireJob;
import dev.coatcheck.db.lease.AppendDeltas;
import dev.coatcheck.db.lease.AttemptLedger;
import dev.coatcheck.db.lease.FindEnd;
import dev.coatcheck.db.lease.LeaveJob;
import dev.coatcheck.db.lease.RecordTurn;
import dev.coatcheck.db.lease.RenewLeases;
import dev.coatcheck.db.lease.WorkerId;
import dev.coatcheck.db.pool.Insist;
import dev.coatcheck.db.time.Ticks;
import dev.coatcheck.worker.egress.KnownSecrets;
import dev.coatcheck.worker.egress.Secret;
import dev.coatcheck.worker.lease.LeaseKeeper;
import dev.coatcheck.worker.provider.ProviderSettings;
import dev.coatcheck.worker.provider.Providers;
import dev.coatcheck.worker.provider.ProvidersSettings;
import dev.coatcheck.worker.retry.RetryPolicy;
import dev.coatcheck.worker.retry.RetrySettings;
import dev.coatcheck.worker.run.AskModel;
import dev.coatcheck.worker.run.RunJob;
import dev.coatcheck.worker.run.RunJobs;
import dev.coatcheck.worker.run.RunMeters;
import dev.coatcheck.worker.run.TellDeltas;
import dev.coatcheck.worker.tool.Toolbox;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Future;

/** A worker process, put together as {@code WorkerConfiguration} does it. */
final class SimulatedWorker {
  private static final Duration STOP_GRACE = Duration.ofSeconds(5);
  private static final ProviderSettings OPENAI =
      new ProviderSettings(
          "openai", "http://provider.invalid", Secret.NONE, Map.of(), Map.of(), 0, null);

  private final World world;
  private final Simulant process;
  private final MeterRegistry meters = new SimpleMeterRegistry();
  private final LeaseKeeper keeper;
  private final RunJobs runs;
  private boolean stopping;

  SimulatedWorker(World world, String name) {
    this.world = world;
    this.process = new Simulant(name);
    Ticks ticks = new SimulatedTicks(world.schedule);
    this.keeper =
        new LeaseKeeper(
            new RenewLeases(world.lane.engine, FaultProbe.LEASE),
            new ListenHub(Lane.NOBODY_LISTENS, length -> {}),
            FaultProbe.LEASE,
            new LeaseKeeper.Rhythm(new SimulatedTimer(world.schedule, "keeper", process), ticks));
    var ask =
        new AskModel(
            stores(),
            retries(),
            new AskModel.Outside(providers().all(), tools()),
            new RunMeters(meters, Slots.none()));
    var run = new RunJob(runStores(), keeper, ask, new RunJob.Tempo(FaultProbe.LEASE, ticks));
    this.runs = new RunJobs(run, STOP_GRACE, world.probe, this::startRun);
  }

  private AskModel.Stores stores() {
    Lane lane = world.lane;
    return new AskModel.Stores(
        new AttemptLedger(lane.engine, lane.notifier()),
        new RecordTurn(lane.engine, lane.notifier()),
        new LeaveJob(lane.engine, lane.dispatches, lane.notifier()),
        new Insist(length -> world.schedule.rest(length)),
        world.probe,
        new TellDeltas(
            new AppendDeltas(lane.engine, lane.notifier()), length -> world.schedule.rest(length)));
  }

  private AskModel.Retries retries() {
    RetrySettings settings = RetrySettings.standard();
    return new AskModel.Retries(
        new RetryPolicy(settings), settings.hold(), new Random(world.schedule.random().nextLong()));
  }

  private Providers providers() {
    return new Providers(
        new ProvidersSettings("openai", Map.of("openai", OPENAI)),
        new SimulatedEgress(world),
        world.clock(),
        new KnownSecrets(List.of()));
  }

  /**
   * Calls of one turn run one after the other: side by side they would wait beside the schedule.
   */
  private Toolbox tools() {
    return new Toolbox(
        SimulatedTools.ALL,
        new Toolbox.Stores(
            world.lane.calls, new Insist(length -> world.schedule.rest(length)), world.probe),
        new Toolbox.Manner(
            new RetryPolicy(RetrySettings.standard()),
            new Random(world.schedule.random().nextLong()),
            Runnable::run,
            meters),
        new Toolbox.Door(new SimulatedEgress(world), new KnownSecrets(List.of()), world.clock()));
  }

  private RunJob.Stores runStores() {
    Lane lane = world.lane;
    var terms = new AcquireJob.Terms(new WorkerId(world.ids.next()), FaultProbe.LEASE, Set.of());
    return new RunJob.Stores(
        new AcquireJob(lane.engine, lane.dispatches, lane.notifier(), terms),
        new FindEnd(lane.engine),
        world.probe);
  }

  private void startRun(Runnable run) {
    world.schedule.spawn("run", process, () -> counted(run));
  }

  private void counted(Runnable run) {
    process.runs(1);
    try {
      run.run();
    } finally {
      process.runs(-1);
    }
  }

  Simulant process() {
    return process;
  }

  /** Whether it takes dispatches. */
  boolean isOpen() {
    return !process.isDead() && !stopping && !process.isPaused(world.schedule.now());
  }

  Future<DispatchEnd> deliver(JobId job, int number) {
    return runs.start(new Start(job, number, new Slot(() -> {}), line -> {}));
  }

  /** A notification that the job was cancelled arrives. */
  void hearCancelled(JobId job) {
    if (!process.isDead()) {
      keeper.heard(List.of(job));
    }
  }

  /** Stops in good order, and is gone then. */
  void stop() {
    stopping = true;
    world.probe.hit(process.runs());
    world.schedule.spawn(
        "stop",
        process,
        () -> {
          runs.stop();
          keeper.close();
          world.schedule.note("has stopped");
          process.kill();
        });
  }

  double lostLeases() {
    return meters.counter("coatcheck.leases.lost").count();
  }

  double staleWrites() {
    return meters.counter("coatcheck.writes.refused").count();
  }
}
