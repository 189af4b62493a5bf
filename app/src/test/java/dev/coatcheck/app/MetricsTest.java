package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class MetricsTest {
  @Test
  void what_is_exposed_is_on_the_same_port_and_behind_the_key() {
    try (var app =
        RunningApp.start("management.endpoints.web.exposure.include=health,prometheus")) {
      Http acme = app.as("acme");
      acme.submit("one", "{\"model\":\"m\",\"prompt\":\"p\"}");
      acme.submit("one", "{\"model\":\"m\",\"prompt\":\"p\"}");
      acme.submit("two", "{\"model\":\"m\"}");

      assertThat(app.anonymous().get("/actuator/prometheus").status()).isEqualTo(401);
      Awaitility.await()
          .atMost(Duration.ofSeconds(15))
          .untilAsserted(
              () ->
                  assertThat(acme.get("/actuator/prometheus").body())
                      .contains("coatcheck_submits_total{outcome=\"accepted\"} 1.0")
                      .contains("coatcheck_submits_total{outcome=\"replayed\"} 1.0")
                      .contains("coatcheck_submits_total{outcome=\"invalid_request\"} 1.0")
                      .contains("coatcheck_jobs{status=\"queued\"} 1.0")
                      .contains("coatcheck_jobs{status=\"in_progress\"} 0.0")
                      .contains("coatcheck_waiters 0.0")
                      .contains("hikaricp_connections_active{pool=\"web\"}")
                      .contains("http_server_requests_seconds_count"));
    }
  }
}
