package dev.coatcheck.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The processor time that processes have taken, with their children's. */
final class CpuTime {
  private static final Path PROC = Path.of("/proc");
  private static final double TICKS_PER_SECOND = 100;
  private static final int UTIME = 11;
  private static final int CSTIME = 14;

  private CpuTime() {}

  /** Seconds taken by a process and all below it, on Linux those that have ended included. */
  static double seconds(long pid) {
    return ProcessHandle.of(pid)
        .map(process -> own(process) + process.descendants().mapToDouble(CpuTime::own).sum())
        .orElseThrow(() -> new BenchFailed("process " + pid + " is gone"));
  }

  private static double own(ProcessHandle process) {
    try {
      var stat = Files.readString(PROC.resolve(process.pid() + "/stat"));
      var fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      double ticks = 0;
      for (int field = UTIME; field <= CSTIME; field++) {
        ticks += Double.parseDouble(fields[field]);
      }
      return ticks / TICKS_PER_SECOND;
    } catch (IOException e) {
      return process.info().totalCpuDuration().orElse(Duration.ZERO).toNanos() / 1e9;
    }
  }
}
