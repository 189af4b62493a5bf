package dev.coatcheck.chaos.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A timer of one thread, which is a task of its process. */
final class SimulatedTimer extends AbstractExecutorService implements ScheduledExecutorService {
  private static final long FOREVER = Long.MAX_VALUE / 2;

  private final Schedule schedule;
  private final List<Item> due = new ArrayList<>();
  private final Schedule.Task task;
  private boolean shutdown;

  SimulatedTimer(Schedule schedule, String name, Simulant process) {
    this.schedule = schedule;
    this.task = schedule.spawn(name, process, this::run);
  }

  /**
   * @param period 0 for something that is done once
   */
  private record Item(long at, long period, Runnable work) {}

  private void run() {
    while (!shutdown) {
      Item next = due.stream().min(Comparator.comparingLong(Item::at)).orElse(null);
      if (next == null || next.at > schedule.now()) {
        schedule.rest(next == null ? FOREVER : next.at - schedule.now());
        continue;
      }
      due.remove(next);
      if (next.period > 0) {
        due.add(new Item(next.at + next.period, next.period, next.work));
      }
      next.work.run();
    }
  }

  private void add(long delay, long period, Runnable work) {
    var item = new Item(schedule.now() + delay, period, work);
    due.add(item);
    task.wakeBy(item.at);
  }

  @Override
  public void execute(Runnable work) {
    add(0, 0, work);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable work, long delay, TimeUnit unit) {
    add(unit.toNanos(delay), 0, work);
    return new NoFuture<>();
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable work, long initial, long period, TimeUnit unit) {
    add(unit.toNanos(initial), unit.toNanos(period), work);
    return new NoFuture<>();
  }

  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable work, long initial, long delay, TimeUnit unit) {
    return scheduleAtFixedRate(work, initial, delay, unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> work, long delay, TimeUnit unit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void shutdown() {
    shutdown = true;
    task.wakeBy(schedule.now());
  }

  @Override
  public List<Runnable> shutdownNow() {
    shutdown();
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return shutdown;
  }

  @Override
  public boolean isTerminated() {
    return shutdown;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return true;
  }

  /** Nobody asks for it. */
  private static final class NoFuture<V> extends CompletableFuture<@Nullable V>
      implements ScheduledFuture<@Nullable V> {
    @Override
    public long getDelay(TimeUnit unit) {
      return 0;
    }

    @Override
    public int compareTo(Delayed other) {
      return 0;
    }
  }
}
