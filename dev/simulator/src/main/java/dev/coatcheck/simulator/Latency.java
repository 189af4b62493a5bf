package dev.coatcheck.simulator;

import java.time.Duration;

/** How long the model seems to think: somewhere between two bounds. */
public record Latency(Duration least, Duration most) {
  public static final Latency NONE = fixed(Duration.ZERO);

  public Latency {
    if (least.isNegative() || most.compareTo(least) < 0) {
      throw new IllegalArgumentException("not a latency: " + least + " to " + most);
    }
  }

  public static Latency fixed(Duration always) {
    return new Latency(always, always);
  }

  /** Reads {@code 500ms}, {@code 2s} or a range of them, {@code 400ms..1500ms}. */
  public static Latency parse(String text) {
    int dots = text.indexOf("..");
    return dots < 0
        ? fixed(Span.parse(text))
        : new Latency(Span.parse(text.substring(0, dots)), Span.parse(text.substring(dots + 2)));
  }

  /** The same moment for the same request number, so that a test run repeats. */
  Duration of(long number) {
    long range = most.toNanos() - least.toNanos();
    return range == 0 ? least : least.plusNanos(Math.floorMod(scatter(number), range + 1));
  }

  /** The finaliser of SplitMix64: neighbours end up far apart. */
  private static long scatter(long number) {
    long mixed = number * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
