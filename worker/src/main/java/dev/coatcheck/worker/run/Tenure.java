package dev.coatcheck.worker.run;

import dev.coatcheck.db.lease.Lease;
import dev.coatcheck.db.lease.LeasedJob;
import dev.coatcheck.db.time.Ticks;
import dev.coatcheck.worker.egress.AbortReason;
import dev.coatcheck.worker.egress.OutboundCall;
import dev.coatcheck.worker.lease.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One worker's time with a job, from lease to release: what is told to it from outside, and what it
 * waits for in place. Times are on the monotonic clock.
 */
final class Tenure implements Held {
  private final LeasedJob job;
  private final Ticks ticks;
  private final long confirmedFor;
  private final long deadline;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition told = lock.newCondition();
  private long confirmedAt;
  private boolean draining;
  private @Nullable AbortReason aborted;
  private @Nullable OutboundCall call;
  private final Set<OutboundCall> tools = new HashSet<>();
  private boolean stopping;

  /**
   * @param acquired before the lease was asked for, by the ticks
   * @param lease how long it runs; after two thirds of it without a renewal no socket is opened
   */
  Tenure(LeasedJob job, long acquired, Duration lease, Ticks ticks) {
    this.job = job;
    this.ticks = ticks;
    this.confirmedAt = acquired;
    this.confirmedFor = lease.toNanos() / 3 * 2;
    this.deadline = ticks.nanos() + job.clock().untilDeadline().toNanos();
  }

  LeasedJob job() {
    return job;
  }

  @Override
  public Lease lease() {
    return job.lease();
  }

  Duration untilDeadline() {
    return Duration.ofNanos(deadline - ticks.nanos());
  }

  boolean isPastDeadline() {
    return !untilDeadline().isPositive();
  }

  @Override
  public void confirmed(long asked) {
    lock.lock();
    try {
      confirmedAt = asked;
      told.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void lost() {
    abort(AbortReason.LEASE_LOST);
  }

  /** Gives up what is being waited for, for good. The first reason stands. */
  void abort(AbortReason reason) {
    List<OutboundCall> open = new ArrayList<>();
    lock.lock();
    try {
      if (aborted == null) {
        aborted = reason;
      }
      if (call != null) {
        open.add(call);
      }
      if (reason == AbortReason.STOPPING) {
        stopping = true;
        open.addAll(tools);
      }
      told.signalAll();
    } finally {
      lock.unlock();
    }
    open.forEach(one -> one.abort(reason));
  }

  /** Whether the process has no more patience. */
  boolean isStopping() {
    lock.lock();
    try {
      return stopping;
    } finally {
      lock.unlock();
    }
  }

  /** Starts nothing new from here on; an open call may end. */
  void drain() {
    lock.lock();
    try {
      draining = true;
      told.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Why nothing new is to be started, if so. */
  Optional<AbortReason> stopped() {
    lock.lock();
    try {
      return reason();
    } finally {
      lock.unlock();
    }
  }

  private Optional<AbortReason> reason() {
    return aborted != null
        ? Optional.of(aborted)
        : draining ? Optional.of(AbortReason.STOPPING) : Optional.empty();
  }

  /** Waits in place; returns early when stopped. */
  void pause(Duration length) throws InterruptedException {
    long end = ticks.nanos() + length.toNanos();
    lock.lock();
    try {
      long left = end - ticks.nanos();
      while (left > 0 && reason().isEmpty()) {
        left = ticks.await(lock, told, left);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins a call if a socket may be opened now: waits until the lease is confirmed well enough.
   *
   * @return empty if the tenure was stopped, or its deadline passed, before that
   */
  Optional<OutboundCall> begin() throws InterruptedException {
    lock.lock();
    try {
      Optional<OutboundCall> begun = beginLocked();
      begun.ifPresent(one -> call = one);
      return begun;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins a tool's call, beside others, under the same condition. It is aborted only when the
   * process stops: one that runs while its job is cancelled is left to finish.
   */
  Optional<OutboundCall> beginTool() throws InterruptedException {
    lock.lock();
    try {
      Optional<OutboundCall> begun = beginLocked();
      begun.ifPresent(tools::add);
      return begun;
    } finally {
      lock.unlock();
    }
  }

  void doneTool(OutboundCall over) {
    lock.lock();
    try {
      tools.remove(over);
    } finally {
      lock.unlock();
    }
  }

  private Optional<OutboundCall> beginLocked() throws InterruptedException {
    while (reason().isEmpty() && ticks.nanos() - confirmedAt > confirmedFor) {
      long left = deadline - ticks.nanos();
      if (left <= 0) {
        return Optional.empty();
      }
      long _ = ticks.await(lock, told, left);
    }
    if (reason().isPresent()) {
      return Optional.empty();
    }
    return Optional.of(new OutboundCall());
  }

  /** The call is over. */
  void done() {
    lock.lock();
    try {
      call = null;
    } finally {
      lock.unlock();
    }
  }
}
