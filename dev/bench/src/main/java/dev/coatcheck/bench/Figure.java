package dev.coatcheck.bench;

import java.util.Locale;

/**
 * What a scenario finds out, one value a run.
 *
 * @param bar what the median is held against; {@link Bar#NONE} if nothing is promised
 */
record Figure(String name, String unit, Bar bar) {
  /** A bound on the median. */
  record Bar(double least, double most) {
    static final Bar NONE = new Bar(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    boolean holds(double value) {
      return value >= least && value <= most;
    }

    private String verdict(double median) {
      if (equals(NONE)) {
        return "";
      }
      var bound = most < Double.POSITIVE_INFINITY ? "<= " + shown(most) : ">= " + shown(least);
      return "   bar " + bound + (holds(median) ? ": held" : ": MISSED");
    }
  }

  static Figure of(String name, String unit) {
    return new Figure(name, unit, Bar.NONE);
  }

  Figure atMost(double bound) {
    return new Figure(name, unit, new Bar(Double.NEGATIVE_INFINITY, bound));
  }

  Figure atLeast(double bound) {
    return new Figure(name, unit, new Bar(bound, Double.POSITIVE_INFINITY));
  }

  /** The line of a report: the median, then the spread over the runs. */
  String line(Samples runs) {
    var spread =
        runs.size() == 1
            ? ""
            : "  (%s ... %s)".formatted(shown(runs.percentile(0)), shown(runs.percentile(100)));
    return "  %-46s %10s %-5s%s%s"
        .formatted(name, shown(runs.median()), unit, spread, bar.verdict(runs.median()))
        .stripTrailing();
  }

  private static String shown(double value) {
    double size = Math.abs(value);
    var form = size >= 100 || value == Math.rint(value) ? "%,.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, form, value);
  }
}
