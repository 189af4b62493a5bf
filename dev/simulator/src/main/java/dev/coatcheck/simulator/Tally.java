package dev.coatcheck.simulator;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Counts without locks. */
final class Tally {
  private final LongAdder received = new LongAdder();
  private final LongAdder whole = new LongAdder();
  private final LongAdder brokenOff = new LongAdder();
  private final LongAdder callerLeft = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger peakOpen = new AtomicInteger();

  void arrived() {
    received.increment();
    int now = open.incrementAndGet();
    int peak = peakOpen.get();
    while (now > peak && !peakOpen.compareAndSet(peak, now)) {
      peak = peakOpen.get();
    }
  }

  void left() {
    open.decrementAndGet();
  }

  void ended(Ending ending) {
    switch (ending) {
      case OPEN -> throw new IllegalArgumentException("an answer does not end open");
      case WHOLE -> whole.increment();
      case BROKEN_OFF -> brokenOff.increment();
      case CALLER_LEFT -> callerLeft.increment();
    }
  }

  void refused() {
    refused.increment();
  }

  long received() {
    return received.sum();
  }

  Counts counts() {
    return new Counts(
        received.sum(),
        whole.sum(),
        brokenOff.sum(),
        callerLeft.sum(),
        refused.sum(),
        open.get(),
        peakOpen.get());
  }

  void clear() {
    received.reset();
    whole.reset();
    brokenOff.reset();
    callerLeft.reset();
    refused.reset();
    peakOpen.set(open.get());
  }
}
