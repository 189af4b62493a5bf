package dev.coatcheck.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final Pattern CHILD = Pattern.compile("child (\\d+)\n");

  @TempDir Path directory;

  @Test
  void a_child_ends_when_its_parent_is_killed() throws Exception {
    try (var parent = holdChild()) {
      var pid = Long.parseLong(parent.awaitLog(CHILD, LIMIT));
      var child = ProcessHandle.of(pid).orElseThrow();
      parent.kill();
      child.onExit().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
      assertThat(child.isAlive()).isFalse();
    }
  }

  private ChildProcess holdChild() {
    var arguments =
        List.of(
            "-Xmx64m",
            "-cp",
            System.getProperty("java.class.path"),
            HoldChild.class.getName(),
            directory.resolve("child.log").toString());
    return ChildProcess.java(arguments, directory.resolve("parent.log"));
  }

  @Test
  void a_closed_one_stops_in_order_first() {
    var parent = holdChild();
    parent.awaitLog(CHILD, LIMIT);
    parent.close();
    assertThat(parent.isAlive()).isFalse();
    assertThat(parent.endOfLog()).contains("stopped in order");
  }

  @Test
  void a_child_that_ends_too_early_is_told_with_the_end_of_its_log() {
    try (var child =
        ChildProcess.java(List.of("--no-such-option"), directory.resolve("child.log"))) {
      assertThatThrownBy(() -> child.awaitLog(Pattern.compile("(ready)"), LIMIT))
          .isInstanceOf(ProcessFailed.class)
          .hasMessageContaining("Unrecognized option");
    }
  }

  @Test
  void a_closed_simulator_is_gone() {
    var simulator = SimulatorProcess.start(List.of("-Xmx64m"), directory.resolve("simulator.log"));
    assertThat(simulator.counts().received()).isZero();
    simulator.close();
    assertThat(simulator.process().isAlive()).isFalse();
  }
}
