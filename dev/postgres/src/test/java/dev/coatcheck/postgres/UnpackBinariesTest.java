package dev.coatcheck.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnpackBinariesTest {
  @Test
  void several_at_once_end_with_one_whole_copy(@TempDir Path cache) throws Exception {
    Callable<Path> unpack = () -> new UnpackBinaries(cache).unpack();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var homes = threads.invokeAll(Stream.generate(() -> unpack).limit(3).toList());
      for (var home : homes) {
        assertThat(home.get().resolve("bin/postgres")).isExecutable();
      }
    }
    try (var left = Files.list(cache)) {
      assertThat(left).hasSize(1);
    }
  }

  @Test
  void each_platform_has_its_archive() {
    assertThat(UnpackBinaries.archiveName("Linux", "amd64")).isEqualTo("postgres-linux-x86_64.txz");
    assertThat(UnpackBinaries.archiveName("Linux", "aarch64"))
        .isEqualTo("postgres-linux-arm_64.txz");
    assertThat(UnpackBinaries.archiveName("Mac OS X", "x86_64"))
        .isEqualTo("postgres-darwin-x86_64.txz");
    assertThat(UnpackBinaries.archiveName("Mac OS X", "aarch64"))
        .isEqualTo("postgres-darwin-arm_64.txz");
  }
}
