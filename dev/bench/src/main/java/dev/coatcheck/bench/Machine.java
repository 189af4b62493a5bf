package dev.coatcheck.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Pattern;

/** What the figures were measured on. */
final class Machine {
  private static final int SYNCS = 200;
  private static final int PAGE = 8_192;
  private static final double GIB = 1024.0 * 1024 * 1024;
  private static final Pattern MODEL = Pattern.compile("(?m)^model name\\s*:\\s*(.*)$");

  private Machine() {}

  static List<String> lines() {
    var system = ManagementFactory.getOperatingSystemMXBean();
    var memory =
        system instanceof com.sun.management.OperatingSystemMXBean more
            ? "%.0f GiB".formatted(more.getTotalMemorySize() / GIB)
            : "memory unknown";
    return List.of(
        "machine    %s, %d cores, %s, %s %s, load %.1f at the start"
            .formatted(
                processor(),
                system.getAvailableProcessors(),
                memory,
                system.getName(),
                system.getVersion(),
                system.getSystemLoadAverage()),
        "java       %s, %s"
            .formatted(
                System.getProperty("java.runtime.version"), System.getProperty("java.vm.name")));
  }

  private static String processor() {
    try {
      var found = MODEL.matcher(Files.readString(Path.of("/proc/cpuinfo")));
      return found.find() ? found.group(1) : System.getProperty("os.arch");
    } catch (IOException e) {
      return System.getProperty("os.arch");
    }
  }

  /** What a commit waits for at least: the median of many small synced writes, in ms. */
  static double fdatasyncMs(Path directory) throws IOException {
    var file = directory.resolve("sync");
    var page = ByteBuffer.allocate(PAGE);
    var syncs = new Samples();
    try (var channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      for (int i = 0; i < SYNCS; i++) {
        channel.write(page.rewind(), 0);
        long start = System.nanoTime();
        channel.force(false);
        syncs.add((System.nanoTime() - start) / 1e6);
      }
    }
    Files.delete(file);
    return syncs.median();
  }
}
