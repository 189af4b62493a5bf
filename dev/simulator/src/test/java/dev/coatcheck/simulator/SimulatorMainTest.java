package dev.coatcheck.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatorMainTest {
  @Test
  void another_process_is_driven_by_the_prompt_and_read_through_its_ledger() throws Exception {
    var process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                SimulatorMain.class.getName(),
                "--port=0",
                "--latency=0ms")
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var lines = process.inputReader(UTF_8);
        var client = HttpClient.newHttpClient()) {
      var baseUrl = lines.readLine();
      var chat =
          HttpRequest.newBuilder(URI.create(baseUrl + "/chat/completions"))
              .POST(
                  BodyPublishers.ofString(
                      "{\"messages\":[{\"role\":\"user\",\"content\":\"[[sim: 503]]\"}]}"))
              .build();
      assertThat(client.send(chat, BodyHandlers.ofString()).statusCode()).isEqualTo(503);
      var ledger = HttpRequest.newBuilder(URI.create(baseUrl).resolve("/__ledger")).build();
      assertThat(client.send(ledger, BodyHandlers.ofString()).body()).contains("\"received\":1");
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  @Test
  void it_thinks_for_a_moment_on_a_known_port_unless_told_otherwise() {
    var usual = SimulatorMain.settings();
    assertThat(usual.port()).isEqualTo(8089);
    assertThat(usual.host()).isEqualTo("127.0.0.1");
    assertThat(usual.latency().least()).isEqualTo(Duration.ofMillis(400));
    var told =
        SimulatorMain.settings(
            "--port=7",
            "--host=0.0.0.0",
            "--latency=1s..2s",
            "--ledger-entries=5",
            "--ledger-bytes=0");
    assertThat(told)
        .isEqualTo(
            new SimulatorSettings("0.0.0.0", 7, Latency.parse("1s..2s"), new LedgerSettings(5, 0)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "port=1",
        "--port",
        "--colour=red",
        "--port=x",
        "--port=70000",
        "--latency=2s..1s"
      })
  void other_options_are_refused(String option) {
    assertThatThrownBy(() -> SimulatorMain.settings(option))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
