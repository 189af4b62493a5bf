package dev.coatcheck.chaos.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one task move at a time, drawn from its seed, until that task hands over. Time is a number
 * that moves when everybody rests.
 */
final class Schedule {
  /** More than any history needs; a history that takes them has gone astray. */
  private static final int MOST_STEPS = 20_000;

  private static final Duration HANG = Duration.ofSeconds(30);
  private static final int LONGEST_STEP_NANOS = 2_000_000;

  private final Random random;
  private final Semaphore back = new Semaphore(0);
  private final List<Task> tasks = new ArrayList<>();
  private final List<String> trace = new ArrayList<>();
  private @Nullable Task current;
  private long now;
  private int steps;

  Schedule(Random random) {
    this.random = random;
  }

  /** A thread under the schedule. */
  static final class Task {
    private final String name;
    private final Semaphore go = new Semaphore(0);
    private Simulant process;
    private long wakeAt;
    private boolean finished;
    private @Nullable Thread thread;

    private Task(String name, Simulant process, long wakeAt) {
      this.name = name;
      this.process = process;
      this.wakeAt = wakeAt;
    }

    Simulant process() {
      return process;
    }

    /** Moves into another process, as a caller does into the server that answers it. */
    void enter(Simulant other) {
      process = other;
    }

    /** Is not to rest longer than until then. */
    void wakeBy(long time) {
      wakeAt = Math.min(wakeAt, time);
    }

    boolean isOver() {
      return finished;
    }
  }

  long now() {
    return now;
  }

  List<String> trace() {
    return List.copyOf(trace);
  }

  Random random() {
    return random;
  }

  /** The task that moves; only to be called by it. */
  Task current() {
    if (current == null) {
      throw new IllegalStateException("nobody moves");
    }
    return current;
  }

  void note(String what) {
    String who = current == null ? "-" : current.process.name() + " " + current.name;
    trace.add("%9.3f %-28s %s".formatted(now / 1e9, who, what));
  }

  /** Starts a task that moves when it is drawn. */
  Task spawn(String name, Simulant process, Runnable work) {
    var task = new Task(name, process, now);
    tasks.add(task);
    task.thread = Thread.ofVirtual().name(name).start(() -> run(task, work));
    return task;
  }

  private void run(Task task, Runnable work) {
    task.go.acquireUninterruptibly();
    try {
      if (!task.process.isDead()) {
        work.run();
      }
    } catch (Halted _) {
      // Its process is dead.
    } catch (RuntimeException | Error e) {
      note("BROKE OFF " + e);
    } finally {
      task.finished = true;
      back.release();
    }
  }

  /** Hands over; returns when drawn again. */
  void handOver() {
    rest(0);
  }

  /** Rests for so long, and then until drawn. */
  void rest(long nanos) {
    Task me = current();
    if (me.process.isDead()) {
      throw new Halted();
    }
    me.wakeAt = now + nanos;
    back.release();
    me.go.acquireUninterruptibly();
    if (me.process.isDead()) {
      throw new Halted();
    }
  }

  void rest(Duration length) {
    rest(length.toNanos());
  }

  /**
   * @return whether it came to that before the time was up
   */
  boolean run(BooleanSupplier done, Duration limit) {
    long end = now + limit.toNanos();
    while (!done.getAsBoolean()) {
      unwindTheDead();
      List<Task> able = tasks.stream().filter(this::isAble).toList();
      if (!able.isEmpty()) {
        now += random.nextInt(LONGEST_STEP_NANOS);
        move(able.get(random.nextInt(able.size())));
      } else if (!jump(end)) {
        return false;
      }
    }
    return true;
  }

  private boolean isAble(Task task) {
    return task.wakeAt <= now && !task.process.isPaused(now);
  }

  private boolean jump(long end) {
    long next =
        tasks.stream()
            .mapToLong(task -> Math.max(task.wakeAt, task.process.pausedUntil()))
            .min()
            .orElse(Long.MAX_VALUE);
    if (next > end) {
      return false;
    }
    now = Math.max(now, next);
    return true;
  }

  private void unwindTheDead() {
    for (Task task : List.copyOf(tasks)) {
      task.process.endIdleTransactions(now);
      while (task.process.isDead() && !task.finished) {
        move(task);
      }
    }
    tasks.removeIf(task -> task.finished);
  }

  private void move(Task task) {
    if (++steps > MOST_STEPS) {
      throw new AssertionError("no end after " + MOST_STEPS + " steps");
    }
    current = task;
    task.go.release();
    try {
      if (!back.tryAcquire(HANG.toNanos(), TimeUnit.NANOSECONDS)) {
        throw hung(task);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } finally {
      current = null;
    }
    if (task.finished) {
      tasks.remove(task);
    }
  }

  private AssertionError hung(Task task) {
    var error = new AssertionError(task.name + " does not hand over");
    if (task.thread != null) {
      error.setStackTrace(task.thread.getStackTrace());
    }
    return error;
  }

  /** Ends every thread that is left. */
  void end() {
    tasks.forEach(task -> task.process.kill());
    unwindTheDead();
  }
}
