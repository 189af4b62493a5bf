package dev.coatcheck.worker.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import dev.coatcheck.db.delivery.ClaimedDelivery;
import dev.coatcheck.db.job.JobId;
import dev.coatcheck.db.json.RawJson;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.db.webhook.SigningSecrets;
import dev.coatcheck.db.webhook.WebhookSettings;
import dev.coatcheck.worker.egress.Header;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What we send, held against the official libraries. */
class SignEventTest {
  private static final String NEW = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String OLD = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
  private static final String BODY = body();

  private final Instant now = InstantSource.system().instant();

  @Test
  void each_secret_alone_verifies_it() {
    var headers = headers(now, NEW + " " + OLD);
    for (String secret : List.of(NEW, OLD)) {
      assertThatCode(() -> new Webhook(secret).verify(BODY, headers)).doesNotThrowAnyException();
    }
    assertThatThrownBy(() -> new Webhook("whsec_" + "A".repeat(32)).verify(BODY, headers))
        .isInstanceOf(WebhookVerificationException.class);
  }

  @Test
  void whatever_is_altered_is_refused() {
    Map<String, List<String>> headers = headers(now, NEW);
    refused(BODY + " ", headers);
    refused(BODY, with(headers, "webhook-id", "evt_other"));
    refused(BODY, with(headers, "webhook-timestamp", Long.toString(now.getEpochSecond() + 1)));
    refused(BODY, with(headers, "webhook-signature", "v1,AAAA"));
  }

  @Test
  void a_replay_is_refused_after_five_minutes() {
    refused(BODY, headers(now.minus(Duration.ofMinutes(6)), NEW));
  }

  @Test
  void no_header_can_be_broken_open() {
    assertThat(SignEvent.headers("evt_1", now, BODY, secrets(NEW + " " + OLD)))
        .extracting(Header::name)
        .containsExactly("Content-Type", "webhook-id", "webhook-timestamp", "webhook-signature");
  }

  /** The npm package is asked where it is installed; NODE_PATH says where that is. */
  @Test
  void the_library_for_javascript_verifies_it(@TempDir Path directory) throws Exception {
    Assumptions.assumeTrue(node(directory, "require('standardwebhooks')") == 0, "no npm package");
    Files.writeString(directory.resolve("body"), BODY);
    for (String secret : List.of(NEW, OLD)) {
      assertThat(node(directory, script(secret, ""))).isZero();
    }
    assertThat(node(directory, script(NEW, "x"))).isNotZero();
  }

  private String script(String secret, String added) {
    var headers = headers(now, NEW + " " + OLD);
    return """
    const { Webhook } = require('standardwebhooks');
    const body = require('fs').readFileSync('body', 'utf8') + '%s';
    new Webhook('%s').verify(body, {
      'webhook-id': '%s', 'webhook-timestamp': '%s', 'webhook-signature': '%s' });
    """
        .formatted(
            added,
            secret,
            value(headers, "webhook-id"),
            value(headers, "webhook-timestamp"),
            value(headers, "webhook-signature"));
  }

  private static String value(Map<String, List<String>> headers, String name) {
    return headers.getOrDefault(name, List.of("")).getFirst();
  }

  private static int node(Path directory, String script) throws InterruptedException {
    try {
      Process node =
          new ProcessBuilder("node", "-e", script)
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(directory.resolve("log").toFile())
              .start();
      return node.waitFor(30, TimeUnit.SECONDS) ? node.exitValue() : -1;
    } catch (IOException noNode) {
      return -1;
    }
  }

  private static void refused(String body, Map<String, List<String>> headers) {
    assertThatThrownBy(() -> new Webhook(NEW).verify(body, headers))
        .isInstanceOf(WebhookVerificationException.class);
  }

  private static Map<String, List<String>> with(
      Map<String, List<String>> headers, String name, String value) {
    var altered = new HashMap<>(headers);
    altered.put(name, List.of(value));
    return altered;
  }

  private static Map<String, List<String>> headers(Instant at, String secrets) {
    var map = new HashMap<String, List<String>>();
    SignEvent.headers("evt_1", at, BODY, secrets(secrets))
        .forEach(header -> map.put(header.name(), List.of(header.value())));
    return map;
  }

  private static SigningSecrets secrets(String text) {
    return new WebhookSettings(new WebhookSettings.Webhooks(text, false), Map.of())
        .secretsOf(TenantId.DEFAULT);
  }

  private static String body() {
    byte[] output = "{\"content\":\"\\ud800 é ✓\"}".getBytes(StandardCharsets.UTF_8);
    return WriteEvent.of(
        new ClaimedDelivery.Event(
            "evt_1",
            "job.completed",
            Instant.ofEpochSecond(1_764_446_400),
            new JobId(new UUID(1, 2)),
            Optional.of(RawJson.of(output))));
  }
}
