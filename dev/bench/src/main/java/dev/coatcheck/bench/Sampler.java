package dev.coatcheck.bench;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/** Looks at something five times a second. */
final class Sampler implements AutoCloseable {
  private static final Duration EVERY = Duration.ofMillis(200);

  private final ScheduledExecutorService timer;
  private final ScheduledFuture<?> looks;

  private Sampler(ScheduledExecutorService timer, Runnable look) {
    this.timer = timer;
    looks = timer.scheduleAtFixedRate(look, 0, EVERY.toMillis(), TimeUnit.MILLISECONDS);
  }

  static Sampler start(Runnable look) {
    return new Sampler(Executors.newSingleThreadScheduledExecutor(), look);
  }

  /** A look that failed ends the looking, and must not pass for a result. */
  void check() {
    if (looks.isDone()) {
      throw new BenchFailed("sampling broke off: " + looks.exceptionNow());
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
  }
}
