package dev.coatcheck.simulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What the simulator received, in order, and how each answer ended. It keeps the newest entries and
 * counts them all. Writing to it takes no lock unless somebody waits for it.
 */
public final class Ledger {
  private final AtomicReferenceArray<LedgerEntry> slots;
  private final long maxBodyBytes;
  private final AtomicLong keptBodyBytes = new AtomicLong();
  private final AtomicLong numbers = new AtomicLong();
  private final AtomicLong clearedUpTo = new AtomicLong();
  private final Tally tally = new Tally();
  private final AtomicInteger waiters = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  Ledger(LedgerSettings settings) {
    slots = new AtomicReferenceArray<>(settings.entries());
    maxBodyBytes = settings.bodyBytes();
  }

  /** The kept entries in order of arrival. */
  public List<LedgerEntry> entries() {
    return entries(entry -> true);
  }

  /** The kept entries of this kind in order of arrival. */
  public List<LedgerEntry> entries(Predicate<LedgerEntry> which) {
    List<LedgerEntry> found = new ArrayList<>();
    for (int slot = 0; slot < slots.length(); slot++) {
      var entry = slots.get(slot);
      if (entry == null) {
        if (slot > numbers.get()) {
          break;
        }
      } else if (which.test(entry)) {
        found.add(entry);
      }
    }
    found.sort(Comparator.comparingLong(entry -> entry.request().number()));
    return found;
  }

  /** The kept requests whose prompt has the marker in it. */
  public List<LedgerEntry> asked(String marker) {
    return entries(entry -> entry.prompt().contains(marker));
  }

  public int count(Predicate<LedgerEntry> which) {
    return entries(which).size();
  }

  /** How many requests there were, also those no longer kept. */
  public long received() {
    return tally.received();
  }

  /** The counts over everything received, also what is no longer kept. */
  public Counts counts() {
    return tally.counts();
  }

  /**
   * Waits until so many entries of this kind are there.
   *
   * @throws AssertionError when the limit passes first
   */
  public List<LedgerEntry> await(Predicate<LedgerEntry> which, int count, Duration limit) {
    if (!reaches(which, count, limit)) {
      throw new AssertionError(
          "the ledger has %d such entries of %d, not %d, after %s"
              .formatted(count(which), received(), count, limit));
    }
    return entries(which);
  }

  /** Forgets every entry and count. Answers still under way are no longer counted when they end. */
  public void clear() {
    clearedUpTo.set(numbers.get());
    for (int slot = 0; slot < slots.length(); slot++) {
      freed(slots.getAndSet(slot, null));
    }
    tally.clear();
  }

  boolean reaches(Predicate<LedgerEntry> which, int count, Duration limit) {
    long left = limit.toNanos();
    lock.lock();
    waiters.incrementAndGet();
    try {
      while (count(which) < count) {
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for the ledger", interrupted);
    } finally {
      waiters.decrementAndGet();
      lock.unlock();
    }
  }

  long nextNumber() {
    return numbers.incrementAndGet();
  }

  void arrived(ReceivedRequest request) {
    tally.arrived();
    var entry = new LedgerEntry(fitted(request), Ending.OPEN);
    freed(slots.getAndSet(slotOf(request), entry));
    tellWaiters();
  }

  void ended(ReceivedRequest request, Ending ending) {
    tally.left();
    if (request.number() <= clearedUpTo.get()) {
      return;
    }
    tally.ended(ending);
    int slot = slotOf(request);
    var entry = slots.get(slot);
    if (entry != null && entry.request().number() == request.number()) {
      slots.compareAndSet(slot, entry, new LedgerEntry(entry.request(), ending));
    }
    tellWaiters();
  }

  void refused() {
    tally.refused();
  }

  private int slotOf(ReceivedRequest request) {
    return (int) ((request.number() - 1) % slots.length());
  }

  private ReceivedRequest fitted(ReceivedRequest request) {
    int bytes = request.bodyBytes();
    if (keptBodyBytes.addAndGet(bytes) <= maxBodyBytes) {
      return request;
    }
    keptBodyBytes.addAndGet(-bytes);
    return request.withoutBody();
  }

  private void freed(@Nullable LedgerEntry entry) {
    if (entry != null) {
      keptBodyBytes.addAndGet(-entry.request().body().length());
    }
  }

  private void tellWaiters() {
    if (waiters.get() == 0) {
      return;
    }
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
