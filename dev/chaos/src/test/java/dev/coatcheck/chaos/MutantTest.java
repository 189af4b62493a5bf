package dev.coatcheck.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The known bugs that {@code dev/chaos/plant} plants still fit the code that they are for. */
class MutantTest {
  static Stream<Path> mutants() throws IOException {
    try (var files = Files.list(Path.of("mutants"))) {
      return files.sorted().toList().stream();
    }
  }

  /** The lines that a hunk finds, of the file that it changes. */
  private record Hunk(Path file, List<String> found) {}

  @ParameterizedTest
  @MethodSource("mutants")
  void each_planted_bug_applies_and_names_the_tests_that_catch_it(Path mutant) throws IOException {
    var lines = Files.readAllLines(mutant);
    assertThat(lines).anyMatch(line -> line.matches("Caught by: -pl \\S+ -Dtest=\\S+"));
    var hunks = hunks(lines);
    assertThat(hunks).isNotEmpty();
    for (var hunk : hunks) {
      assertThat(Files.readString(hunk.file))
          .as(hunk.file.toString())
          .contains(String.join("\n", hunk.found));
    }
  }

  private static List<Hunk> hunks(List<String> lines) {
    var hunks = new ArrayList<Hunk>();
    var file = Path.of("");
    for (var line : lines) {
      if (line.startsWith("+++ b/")) {
        file = Path.of("../..", line.substring("+++ b/".length()));
      } else if (line.startsWith("@@")) {
        hunks.add(new Hunk(file, new ArrayList<>()));
      } else if (!hunks.isEmpty()
          && (line.startsWith(" ") || line.startsWith("-"))
          && !line.startsWith("--- ")) {
        hunks.getLast().found.add(line.substring(1));
      }
    }
    return hunks;
  }
}
