package dev.coatcheck.bench;

import java.util.Arrays;

/** Measured values of one kind. */
public final class Samples {
  private double[] values = new double[1_024];
  private int size;

  public synchronized void add(double value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, size * 2);
    }
    values[size++] = value;
  }

  public void addAll(Samples others) {
    for (var value : others.sorted()) {
      add(value);
    }
  }

  synchronized int size() {
    return size;
  }

  /** The nearest-rank percentile; 0 is the least, 100 the most. */
  public double percentile(double percent) {
    var sorted = sorted();
    if (sorted.length == 0) {
      throw new IllegalStateException("nothing was measured");
    }
    int rank = (int) Math.ceil(percent / 100 * sorted.length);
    return sorted[Math.clamp(rank - 1, 0, sorted.length - 1)];
  }

  public double median() {
    return percentile(50);
  }

  private synchronized double[] sorted() {
    var copy = Arrays.copyOf(values, size);
    Arrays.sort(copy);
    return copy;
  }
}
