package dev.coatcheck.chaos;

import java.nio.file.Path;
import java.util.Random;

/**
 * The command: {@code SIZE [SEED [TIMES]]}, with one seed after the other. It ends with 0 when
 * everything held, and with 1 at the first run in which something broke.
 */
final class Chaos {
  private Chaos() {}

  public static void main(String[] arguments) throws Exception {
    var size = Size.named(arguments[0]);
    long seed = arguments.length > 1 ? Long.parseLong(arguments[1]) : drawSeed();
    int times = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 1;
    for (int n = 0; n < times; n++) {
      var directory = Path.of("target/chaos/%s-%d".formatted(size.name(), seed + n));
      var report = new ChaosRun(size, seed + n).run(directory);
      report.lines().forEach(System.out::println);
      if (!report.passed()) {
        System.exit(1);
      }
    }
    System.exit(0);
  }

  static long drawSeed() {
    return new Random().nextInt(1_000_000);
  }
}
