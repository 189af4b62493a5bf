package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.fixture.TestDatabase;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A standalone process without keys, and web pages that are open on its machine. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ThisMachineTest {
  private final RunningApp app =
      RunningApp.startWithoutKeysOn(TestDatabase.create(), "coatcheck.standalone=true");
  private final RawHttp raw = new RawHttp(app.port());

  @AfterAll
  void stop() {
    app.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "evil.example:8080",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "192.168.0.7",
        "[fe80::1]"
      })
  void a_page_whose_name_resolves_to_this_machine_reads_nothing(String host) {
    Problems.assertThat(get("/v1/jobs", host)).is(403, "invalid_request");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "localhost:8080", "127.0.0.1:1", "127.9.9.9", "[::1]:8080"})
  void this_machine_is_served_under_its_own_names(String host) {
    assertThat(get("/v1/jobs", host).status()).isEqualTo(200);
  }

  @Test
  void a_page_of_another_site_gives_no_commands() {
    String id = app.anonymous().submit("{\"model\":\"m\",\"prompt\":\"p\"}").text("/id");
    String[] foreign = {
      "Sec-Fetch-Site: cross-site", "Sec-Fetch-Site: same-site", "Origin: https://evil.example"
    };
    for (String header : foreign) {
      Problems.assertThat(cancel(id, header)).is(403, "invalid_request");
    }
    assertThat(app.anonymous().get("/v1/jobs/" + id).text("/status")).isEqualTo("queued");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Sec-Fetch-Site: same-origin", "Sec-Fetch-Site: none", "Accept: */*"})
  void a_page_of_our_own_and_what_is_no_browser_give_commands(String header) {
    String id = app.anonymous().submit("{\"model\":\"m\",\"prompt\":\"p\"}").text("/id");

    assertThat(cancel(id, header).text("/status")).isEqualTo("cancelled");
  }

  @Test
  void a_probe_may_ask_under_any_name() {
    assertThat(get("/actuator/health/readiness", "10.0.0.1:8080").status()).isEqualTo(200);
    assertThat(get("/openapi.yaml", "coatcheck.internal").status()).isEqualTo(200);
  }

  private Http.Reply get(String path, String host) {
    return raw.send("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
  }

  private Http.Reply cancel(String id, String header) {
    return raw.send(
        "POST /v1/jobs/%s/cancel HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\nContent-Length: 0\r\n\r\n"
            .formatted(id, header));
  }
}
