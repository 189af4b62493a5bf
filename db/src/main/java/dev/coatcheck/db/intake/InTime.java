package dev.coatcheck.db.intake;

import dev.coatcheck.db.pool.JudgeFailure;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Bounds what a caller waits for the database: a connection that hangs answers no statement
 * timeout. The work itself may go on until the pool's own limits end it.
 */
public final class InTime implements AutoCloseable {
  /** Callers are told within 2 s that the database is away. */
  static final Duration LIMIT = Duration.ofMillis(1_700);

  private final ExecutorService threads;

  /**
   * @param threads does the work while the caller waits
   */
  public InTime(ExecutorService threads) {
    this.threads = threads;
  }

  /**
   * @throws DatabaseAway unless the work is done in time
   */
  <T> T get(Supplier<T> work) {
    Future<T> future = threads.submit(work::get);
    try {
      return future.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // Without an interrupt: it would close a connection that may only be slow.
      future.cancel(false);
      throw new DatabaseAway(e);
    } catch (InterruptedException e) {
      future.cancel(false);
      Thread.currentThread().interrupt();
      throw new DatabaseAway(e);
    } catch (ExecutionException e) {
      throw translate(e.getCause() == null ? e : e.getCause());
    }
  }

  @Override
  public void close() {
    threads.shutdown();
  }

  private static RuntimeException translate(Throwable failure) {
    if (JudgeFailure.isAway(failure)) {
      return new DatabaseAway(failure);
    }
    return failure instanceof RuntimeException bug ? bug : new IllegalStateException(failure);
  }
}
