package dev.coatcheck.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The topology under faults; {@code chaos.size} and {@code chaos.seed} say how much and which. */
@Tag("chaos")
class ChaosTest {
  static Stream<Size> sizes() {
    return Arrays.stream(System.getProperty("chaos.size", "verify").split(",")).map(Size::named);
  }

  private static long seed() {
    var given = System.getProperty("chaos.seed", "");
    return given.isEmpty() ? Chaos.drawSeed() : Long.parseLong(given);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void nothing_is_lost_and_nothing_is_done_twice(Size size) throws Exception {
    long seed = seed();
    var report =
        new ChaosRun(size, seed).run(Path.of("target/chaos/%s-%d".formatted(size.name(), seed)));
    report.lines().forEach(System.out::println);
    assertThat(report.passed()).as(String.join("\n", report.lines())).isTrue();
  }
}
