package dev.coatcheck.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs a copy of the wrapper on a PATH that holds a few tools and fakes, nothing else. */
class MvnwTest {
  private static final String TOOLS =
      "cp cut dirname env gzip head mkdir mv perl readlink rm sed sh sha512sum shasum sort tar";
  private static final String FAKE_MAVEN =
      """
      #!/bin/sh
      [ "$1" != --version ] || { echo "Apache Maven %s (a fake)"; exit; }
      echo "$JAVA_HOME $*"
      """;

  @TempDir Path directory;
  private Path bin;
  private Path wrapper;
  private final Map<String, String> environment = new TreeMap<>();

  @BeforeEach
  void prepare() throws IOException {
    bin = Files.createDirectory(directory.resolve("bin"));
    for (var tool : TOOLS.split(" ", -1)) {
      link(tool);
    }
    wrapper = directory.resolve("mvnw");
    Files.copy(RepositoryRoot.find().resolve("mvnw"), wrapper);
    environment.put("PATH", bin.toString());
    environment.put("HOME", directory.resolve("home").toString());
    environment.put("JAVA_HOME", jdk("17.0.1").toString());
    environment.put("JAVA_HOME_25_X64", jdk("25.0.3").toString());
  }

  @Test
  void a_java_home_too_old_is_passed_over() throws Exception {
    program(bin.resolve("mvn"), FAKE_MAVEN.formatted("3.8.7"));
    var run = run("verify", "-Dx=a b");
    assertThat(run.output()).isEqualTo(jdk("25.0.3") + " verify -Dx=a b\n");
    assertThat(run.code()).isZero();
  }

  @Test
  void a_java_home_late_enough_is_taken() throws Exception {
    program(bin.resolve("mvn"), FAKE_MAVEN.formatted("4.0.0"));
    environment.put("JAVA_HOME", jdk("26-ea").toString());
    assertThat(run("verify").output()).isEqualTo(jdk("26-ea") + " verify\n");
  }

  @Test
  void without_any_fitting_jdk_it_says_so_in_one_sentence() throws Exception {
    replace("JDK_WANTED=25", "JDK_WANTED=99");
    var run = run("verify");
    assertThat(run.output())
        .isEqualTo(
            "mvnw: no JDK 99 or later found; install one, or set JAVA_HOME or JAVA_HOME_99 to it.\n");
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void without_maven_the_pinned_one_is_fetched_once() throws Exception {
    offer(archive());
    for (var i = 0; i < 2; i++) {
      assertThat(run("verify").output()).isEqualTo(jdk("25.0.3") + " verify\n");
    }
    assertThat(directory.resolve("fetched")).hasContent("fetched");
    assertThat(directory.resolve("home/.m2/coatcheck-maven"))
        .isDirectoryNotContaining("glob:**part*");
  }

  @Test
  void a_maven_too_old_is_not_used() throws Exception {
    program(bin.resolve("mvn"), FAKE_MAVEN.formatted("3.6.3"));
    offer(archive());
    run("verify");
    assertThat(directory.resolve("fetched")).exists();
  }

  @Test
  void an_archive_of_another_digest_is_refused_and_not_kept() throws Exception {
    offer(archive());
    properties("0".repeat(128));
    var run = run("verify");
    assertThat(run.output())
        .startsWith("mvnw: the Maven fetched from https://")
        .endsWith("has not the SHA-512 in .mvn/maven.properties.\n")
        .hasLineCount(1);
    assertThat(run.code()).isEqualTo(1);
    assertThat(directory.resolve("home/.m2/coatcheck-maven")).isEmptyDirectory();
  }

  @Test
  void an_archive_that_cannot_be_fetched_is_named() throws Exception {
    properties("0".repeat(128));
    program(bin.resolve("curl"), "#!/bin/sh\nexit 22\n");
    var run = run("verify");
    assertThat(run.output())
        .startsWith("mvnw: no Maven 3.8 or later on the PATH, and https://")
        .endsWith("could not be fetched.\n")
        .hasLineCount(1);
    assertThat(run.code()).isEqualTo(1);
  }

  @Test
  void without_a_tool_to_fetch_with_it_says_so() throws Exception {
    properties("0".repeat(128));
    assertThat(run("verify").output())
        .isEqualTo(
            "mvnw: no Maven 3.8 or later on the PATH, and neither curl nor wget to fetch one.\n");
  }

  private record Run(int code, String output) {}

  private Run run(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("/bin/sh", wrapper.toString()));
    command.addAll(Arrays.asList(arguments));
    var output = directory.resolve("output").toFile();
    var builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output);
    builder.environment().clear();
    builder.environment().putAll(environment);
    var process = builder.start();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return new Run(process.exitValue(), Files.readString(output.toPath()));
  }

  private void link(String tool) throws IOException {
    for (var place : List.of("/usr/bin", "/bin", "/sbin")) {
      if (Files.isExecutable(Path.of(place, tool))) {
        program(bin.resolve(tool), "#!/bin/sh\nexec %s/%s \"$@\"\n".formatted(place, tool));
        return;
      }
    }
  }

  private static void program(Path file, String text) throws IOException {
    Files.createDirectories(file.resolveSibling("."));
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Path jdk(String version) throws IOException {
    var home = directory.resolve("jdk-" + version);
    program(home.resolve("bin/javac"), "#!/bin/sh\n");
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"%s\"\n".formatted(version));
    return home;
  }

  private void replace(String text, String other) throws IOException {
    Files.writeString(wrapper, Files.readString(wrapper).replace(text, other));
  }

  private Path archive() throws IOException, InterruptedException {
    program(directory.resolve("apache-maven-9.9.9/bin/mvn"), FAKE_MAVEN.formatted("9.9.9"));
    var file = directory.resolve("maven.tar.gz");
    var tar =
        new ProcessBuilder("tar", "-czf", file.toString(), "apache-maven-9.9.9")
            .directory(directory.toFile())
            .start();
    assertThat(tar.waitFor()).isZero();
    return file;
  }

  /** A curl that hands out this archive and notes it. */
  private void offer(Path archive) throws Exception {
    var digest = MessageDigest.getInstance("SHA-512").digest(Files.readAllBytes(archive));
    properties(HexFormat.of().formatHex(digest));
    program(
        bin.resolve("curl"),
        """
        #!/bin/sh
        while [ "$1" != -o ]; do shift; done
        cp %s "$2"
        echo fetched >>%s
        """
            .formatted(archive, directory.resolve("fetched")));
  }

  private void properties(String sha512) throws IOException {
    Files.createDirectories(directory.resolve(".mvn"));
    Files.writeString(
        directory.resolve(".mvn/maven.properties"), "version=9.9.9\nsha512=" + sha512 + "\n");
  }
}
