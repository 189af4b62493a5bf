package dev.coatcheck.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.app.AppDefaults;
import dev.coatcheck.db.CommonDefaults;
import dev.coatcheck.fixture.TestDatabase;
import dev.coatcheck.simulator.Completion;
import dev.coatcheck.simulator.Match;
import dev.coatcheck.simulator.Simulator;
import dev.coatcheck.worker.WorkerDefaults;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A caller lost the 202 and asks again: elsewhere that was a second generation, billed. */
class LostTicketTest {
  private static final String BODY = "{\"model\": \"openai/m\", \"prompt\": \"billed once\"}";
  private static final Duration SOON = Duration.ofSeconds(30);

  private final HttpClient http = HttpClient.newHttpClient();
  private final JsonMapper json = JsonMapper.builder().build();

  @Test
  void a_submit_repeated_while_its_job_runs_is_the_same_job_and_one_generation() throws Exception {
    try (Simulator provider = Simulator.start();
        TestDatabase database = TestDatabase.create();
        ConfigurableApplicationContext context = start(provider, database)) {
      provider.always(Match.any(), Completion.saying("paid").after(Duration.ofSeconds(1)));
      URI jobs =
          URI.create(
              "http://127.0.0.1:"
                  + context.getEnvironment().getRequiredProperty("local.server.port")
                  + "/v1/jobs");
      HttpResponse<String> lost = post(jobs, BODY, "");
      provider.ledger().await(entry -> entry.prompt().equals("billed once"), 1, SOON);
      HttpResponse<String> repeated = post(jobs, BODY, "wait=20");
      HttpResponse<String> changed = post(jobs, BODY.replace("once", "twice"), "");

      assertThat(lost.statusCode()).isEqualTo(202);
      assertThat(id(repeated)).isEqualTo(id(lost));
      assertThat(repeated.headers().firstValue("Idempotent-Replayed")).contains("true");
      assertThat(read(repeated).at("/output_text").stringValue()).isEqualTo("paid");
      assertThat(changed.statusCode()).isEqualTo(422);
      assertThat(provider.ledger().received()).isEqualTo(1);
    }
  }

  private static ConfigurableApplicationContext start(Simulator provider, TestDatabase database) {
    return new SpringApplicationBuilder(StandaloneApplication.class)
        .properties(CommonDefaults.properties())
        .properties(AppDefaults.web())
        .properties(WorkerDefaults.engine())
        .run(
            "--spring.datasource.url=" + database.jdbcUrl(),
            "--spring.datasource.username=" + database.username(),
            "--spring.datasource.password=" + database.password(),
            "--coatcheck.standalone=true",
            "--coatcheck.providers.openai.base-url=" + provider.baseUrl(),
            "--jobrunr.dashboard.enabled=false",
            "--server.port=0",
            "--server.address=127.0.0.1");
  }

  private HttpResponse<String> post(URI jobs, String body, String prefer)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(jobs)
            .header("Idempotency-Key", "order-1")
            .header("Content-Type", "application/json")
            .header("Prefer", prefer)
            .timeout(SOON)
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
    return http.send(request, HttpResponse.BodyHandlers.ofString());
  }

  private String id(HttpResponse<String> response) {
    return read(response).at("/id").stringValue();
  }

  private JsonNode read(HttpResponse<String> response) {
    return json.readTree(response.body());
  }
}
