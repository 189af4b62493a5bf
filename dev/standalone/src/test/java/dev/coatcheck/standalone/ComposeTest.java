package dev.coatcheck.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Reads the compose file as docker-compose does; CI must have that tool. */
class ComposeTest {
  private static final Map<String, String> SECRETS =
      Map.of(
          "COATCHECK_DB_PASSWORD", "qv8Rw2Xk5TzNf7Lb",
          "COATCHECK_API_KEY_SHA256", "0".repeat(64),
          "COATCHECK_DASHBOARD_PASSWORD", "m3JhYp9sKc6WdG4e");

  @TempDir Path directory;

  @Test
  void with_its_secrets_set_the_file_is_lawful_and_has_three_services() throws Exception {
    var run = compose(SECRETS, "config", "--services");
    assertThat(run.code()).as(run.output()).isZero();
    assertThat(run.output().lines()).containsExactlyInAnyOrder("postgres", "app", "worker");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "COATCHECK_DB_PASSWORD",
        "COATCHECK_API_KEY_SHA256",
        "COATCHECK_DASHBOARD_PASSWORD"
      })
  void no_secret_has_a_default(String secret) throws Exception {
    var without = new TreeMap<>(SECRETS);
    without.remove(secret);
    var absent = compose(without, "config", "--quiet");
    assertThat(absent.code()).isNotZero();
    assertThat(absent.output()).contains("set " + secret);
    without.put(secret, "");
    assertThat(compose(without, "config", "--quiet").code()).isNotZero();
  }

  @Test
  void the_dashboard_is_published_on_loopback_alone() throws Exception {
    assertThat(list(service("app"), "ports"))
        .filteredOn(port -> port.contains(":8000"))
        .containsExactly("127.0.0.1:8000:8000");
    assertThat(service("worker")).doesNotContainKey("ports");
    assertThat(service("postgres")).doesNotContainKey("ports");
  }

  @Test
  void every_service_shows_its_health_and_ours_are_confined() throws Exception {
    for (var name : List.of("postgres", "app", "worker")) {
      assertThat(service(name)).containsKey("healthcheck");
    }
    for (var name : List.of("app", "worker")) {
      assertThat(service(name)).containsEntry("read_only", true);
      assertThat(list(service(name), "cap_drop")).containsExactly("ALL");
      assertThat(Files.readString(RepositoryRoot.find().resolve(name + "/Dockerfile")))
          .contains("\nUSER 10001:10001\n");
    }
  }

  @Test
  void workers_can_be_scaled_for_they_claim_no_name_and_no_port() throws Exception {
    assertThat(service("worker")).doesNotContainKeys("container_name", "ports");
    assertThat(file()).doesNotContainKey("name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"postgres", "Coatcheck", "my-Password-is-long", "changeme", "tooShort1"})
  void the_database_refuses_a_password_that_everybody_knows(String password) throws Exception {
    var run = entrypoint(password);
    assertThat(run.code()).isEqualTo(1);
    assertThat(run.output()).startsWith("COATCHECK_DB_PASSWORD ").hasLineCount(1);
  }

  @Test
  void the_database_starts_with_a_password_of_its_own() throws Exception {
    var run = entrypoint("qv8Rw2Xk5TzNf7Lb");
    assertThat(run.output()).isEqualTo("started with postgres\n");
  }

  private record Run(int code, String output) {}

  private Run compose(Map<String, String> environment, String... arguments) throws Exception {
    assumeTrue("true".equals(System.getenv("CI")) || isOnPath("docker-compose"));
    var command =
        new ArrayList<>(
            List.of("docker-compose", "--file", RepositoryRoot.find() + "/docker-compose.yml"));
    command.addAll(Arrays.asList(arguments));
    return run(command, environment);
  }

  /** Runs the service's own entrypoint, with the image's replaced by one that says so. */
  private Run entrypoint(String password) throws Exception {
    var image = directory.resolve("docker-entrypoint.sh");
    Files.writeString(image, "#!/bin/sh\necho \"started with $*\"\n");
    assertThat(image.toFile().setExecutable(true)).isTrue();
    var command =
        new ArrayList<>(
            list(service("postgres"), "entrypoint").stream()
                .map(word -> word.replace("$$", "$"))
                .toList());
    command.addAll(list(service("postgres"), "command"));
    return run(
        command,
        Map.of("PATH", directory + ":" + System.getenv("PATH"), "POSTGRES_PASSWORD", password));
  }

  private Run run(List<String> command, Map<String, String> environment) throws Exception {
    var output = directory.resolve("output").toFile();
    var builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output);
    builder.environment().clear();
    builder.environment().put("PATH", System.getenv("PATH"));
    builder.environment().putAll(environment);
    var process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Run(process.exitValue(), Files.readString(output.toPath()));
  }

  private static boolean isOnPath(String program) {
    return Arrays.stream(System.getenv("PATH").split(":", -1))
        .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
  }

  private static Map<String, Object> file() throws IOException {
    var yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
    return yaml.load(Files.readString(RepositoryRoot.find().resolve("docker-compose.yml")));
  }

  private static Map<String, Object> service(String name) throws IOException {
    return map(map(file(), "services"), name);
  }

  @SuppressWarnings("unchecked") // the keys of a mapping in this file are strings
  private static Map<String, Object> map(Map<String, Object> parent, String member) {
    return (Map<String, Object>) Objects.requireNonNull(parent.get(member), member);
  }

  @SuppressWarnings("unchecked") // as the members asked for are
  private static List<String> list(Map<String, Object> service, String member) {
    return (List<String>) Objects.requireNonNull(service.get(member), member);
  }
}
