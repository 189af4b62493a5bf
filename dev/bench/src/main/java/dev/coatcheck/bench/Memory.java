package dev.coatcheck.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The memory that a process takes from its machine. */
final class Memory {
  private static final Pattern PEAK = Pattern.compile("VmHWM:\\s+(\\d+) kB");

  private Memory() {}

  /** The most it ever had resident; not a number where the system does not tell. */
  static double peakMiB(long pid) {
    try {
      var status = PEAK.matcher(Files.readString(Path.of("/proc/" + pid + "/status")));
      return status.find() ? Double.parseDouble(status.group(1)) / 1_024 : Double.NaN;
    } catch (IOException e) {
      return Double.NaN;
    }
  }
}
