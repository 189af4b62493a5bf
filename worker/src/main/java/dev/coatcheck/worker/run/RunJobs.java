package dev.coatcheck.worker.run;

import dev.coatcheck.db.dispatch.DispatchEnd;
import dev.coatcheck.db.dispatch.RunStarter;
import dev.coatcheck.db.probe.Checkpoint;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.worker.egress.AbortReason;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Runs each dispatch on a virtual thread of our own, so that JobRunr's interrupts end a waiting and
 * never a paid call. At a stop it records the calls that end in time and releases the others.
 */
public final class RunJobs implements RunStarter, SmartLifecycle {
  private static final Logger log = LoggerFactory.getLogger(RunJobs.class);

  /** After the dispatch server, which takes no new work from then on. */
  private static final int PHASE = DEFAULT_PHASE - 1;

  /** How long the releasing of what is left may take. */
  private static final Duration RELEASE = Duration.ofSeconds(2);

  private final RunJob runJob;
  private final Duration stopGrace;
  private final Probe probe;
  private final Executor threads;
  private final Set<Tenure> tenures = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private int runs;
  private volatile boolean draining;
  private volatile boolean running;

  /**
   * @param threads runs each run on a thread of its own
   */
  public RunJobs(RunJob runJob, Duration stopGrace, Probe probe, Executor threads) {
    this.runJob = runJob;
    this.stopGrace = stopGrace;
    this.probe = probe;
    this.threads = threads;
  }

  @Override
  public Future<DispatchEnd> start(Start start) {
    start.slot().take();
    count(1);
    var end = new CompletableFuture<DispatchEnd>();
    threads.execute(() -> run(start, end));
    return end;
  }

  /** The edge of a run: whatever leaves it is caught here, and its slot given back. */
  private void run(Start start, CompletableFuture<DispatchEnd> end) {
    try {
      end.complete(runJob.run(start, this::opened, tenures::remove));
    } catch (Throwable e) {
      log.atWarn()
          .setMessage("run broke off")
          .addKeyValue("job", start.job())
          .addKeyValue("dispatch", start.number())
          .setCause(e)
          .log();
      end.completeExceptionally(e);
    } finally {
      start.slot().release();
      count(-1);
    }
  }

  private void opened(Tenure tenure) {
    tenures.add(tenure);
    if (draining) {
      tenure.drain();
    }
  }

  private void count(int change) {
    lock.lock();
    try {
      runs += change;
      if (runs == 0) {
        idle.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    draining = true;
    all(Tenure::drain);
    probe.reach(Checkpoint.K20_STOPPING);
    if (!awaitIdle(stopGrace)) {
      all(tenure -> tenure.abort(AbortReason.STOPPING));
      if (!awaitIdle(RELEASE)) {
        log.warn("some runs could not be released; their leases will run out");
      }
    }
    running = false;
  }

  private void all(Consumer<Tenure> action) {
    tenures.forEach(action);
  }

  private boolean awaitIdle(Duration patience) {
    lock.lock();
    try {
      long left = patience.toNanos();
      while (runs > 0 && left > 0) {
        left = runJob.ticks().await(lock, idle, left);
      }
      return runs == 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return PHASE;
  }
}
