package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coatcheck.db.setting.SettingFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardTest {
  private static final String PASSWORD = "0123456789abcdef";

  private final int port = freePort();
  private final RunningApp app =
      RunningApp.start("jobrunr.dashboard.enabled=true", "jobrunr.dashboard.port=" + port);
  private String id = "";

  @BeforeAll
  void submit() {
    id =
        app.as("acme")
            .submit(
                """
                {"model":"openai/m","prompt":"canary-prompt","metadata":{"a":"canary-metadata"}}
                """)
            .text("/id");
  }

  @AfterAll
  void stop() {
    app.close();
  }

  @Test
  void it_listens_on_loopback_alone() throws Exception {
    assertThat(Interfaces.listening(port)).containsOnly("loopback");
  }

  @Test
  void it_shows_pages_jobs_and_no_prompt() {
    assertThat(get("/dashboard/index.html").status()).isEqualTo(200);
    Http.Reply job = get("/api/jobs/" + id);
    assertThat(job.status()).isEqualTo(200);
    for (Http.Reply reply :
        new Http.Reply[] {job, get("/api/jobs?state=ENQUEUED"), get("/api/problems")}) {
      assertThat(reply.body()).doesNotContain("canary");
    }
    assertThat(get("/dashboard/index.html").header("X-Frame-Options")).isEqualTo("DENY");
  }

  @Test
  void other_web_pages_cannot_give_commands() {
    String[] foreign = {
      "Sec-Fetch-Site: cross-site",
      "Sec-Fetch-Site: same-site",
      "Origin: https://evil.example",
      "Origin: null",
      "Origin: http://127.0.0.1:1"
    };
    for (String header : foreign) {
      assertThat(send("POST", "/api/jobs/" + id + "/requeue", header)).as(header).isEqualTo(403);
      assertThat(send("DELETE", "/api/jobs/" + id, header)).as(header).isEqualTo(403);
    }
    assertThat(state()).isEqualTo("ENQUEUED");
    assertThat(send("DELETE", "/api/jobs/" + UUID.randomUUID(), "Sec-Fetch-Site: same-origin"))
        .isNotEqualTo(403);
    assertThat(send("DELETE", "/api/jobs/" + UUID.randomUUID(), "Origin: http://127.0.0.1:" + port))
        .isNotEqualTo(403);
  }

  @Test
  void a_name_that_is_not_this_machines_is_refused() {
    for (String host : new String[] {"evil.example", "127.0.0.1.evil.example", "localhost.evil"}) {
      assertThat(
              new RawHttp(port)
                  .send("GET /api/jobs/" + id + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n")
                  .status())
          .isEqualTo(403);
    }
    assertThat(
            new RawHttp(port)
                .send("GET /api/version HTTP/1.1\r\nHost: localhost:" + port + "\r\n\r\n")
                .status())
        .isEqualTo(200);
  }

  @Test
  void another_address_needs_a_long_password() {
    for (String password : new String[] {"", "short", "0123456789abcde"}) {
      assertThatThrownBy(
              () ->
                  RunningApp.start(
                      "jobrunr.dashboard.enabled=true",
                      "jobrunr.dashboard.port=0",
                      "jobrunr.dashboard.username=" + (password.isEmpty() ? "" : "admin"),
                      "jobrunr.dashboard.password=" + password,
                      "coatcheck.dashboard.address=0.0.0.0"))
          .hasRootCauseInstanceOf(SettingFault.class)
          .rootCause()
          .message()
          .startsWith("jobrunr.dashboard.password must have 16 characters");
    }
  }

  @Test
  void a_password_is_asked_for() throws Exception {
    int other = freePort();
    try (var open =
        RunningApp.start(
            "jobrunr.dashboard.enabled=true",
            "jobrunr.dashboard.port=" + other,
            "jobrunr.dashboard.username=admin",
            "jobrunr.dashboard.password=" + PASSWORD,
            "coatcheck.dashboard.address=0.0.0.0")) {
      for (String path :
          new String[] {"/dashboard/index.html", "/api/jobs?state=ENQUEUED", "/sse/jobstats"}) {
        assertThat(ask(other, path, null)).as(path).isEqualTo(401);
        assertThat(ask(other, path, "admin:wrong")).as(path).isEqualTo(401);
        assertThat(ask(other, path, "root:" + PASSWORD)).as(path).isEqualTo(401);
      }
      assertThat(ask(other, "/api/version", "admin:" + PASSWORD)).isEqualTo(200);
      assertThat(Interfaces.listening(other)).contains("loopback");
      assertThat(open.port()).isPositive();
    }
  }

  private String state() {
    return app.sql()
        .sql("select state from jobrunr_jobs where id = :id")
        .param("id", id)
        .query(String.class)
        .single();
  }

  private Http.Reply get(String path) {
    return new Http(port, null).get(path);
  }

  private int send(String method, String path, String header) {
    return new RawHttp(port)
        .send(
            "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%s\r\nContent-Length: 0\r\n\r\n"
                .formatted(method, path, port, header))
        .status();
  }

  private static int ask(int port, String path, @Nullable String login) {
    String header =
        login == null
            ? ""
            : "Authorization: Basic "
                + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8))
                + "\r\n";
    return new RawHttp(port)
        .send("GET " + path + " HTTP/1.1\r\nHost: somewhere\r\n" + header + "\r\n")
        .status();
  }

  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
