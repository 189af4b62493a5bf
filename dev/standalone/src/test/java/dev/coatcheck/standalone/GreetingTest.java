package dev.coatcheck.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

class GreetingTest {
  private final MockEnvironment environment = new MockEnvironment();

  @Test
  void a_newcomer_gets_a_command_to_paste() {
    environment
        .withProperty("local.server.port", "8080")
        .withProperty("jobrunr.dashboard.enabled", "true")
        .withProperty("spring.datasource.url", "jdbc:postgresql://127.0.0.1:5/coatcheck")
        .withProperty(StartDatabase.DIRECTORY, "/home/me/.coatcheck")
        .withProperty("coatcheck.default-provider", "simulator");
    assertThat(new Greeting(environment, Greeting.Access.THIS_MACHINE).text())
        .isEqualTo(
            """
            Coatcheck is ready
              API        http://127.0.0.1:8080/v1/jobs (no API key is configured: from this machine alone, tenant default)
              Dashboard  http://127.0.0.1:8000/dashboard
              Database   jdbc:postgresql://127.0.0.1:5/coatcheck as user postgres, kept in /home/me/.coatcheck
              Provider   simulator, since neither coatcheck.default-provider nor OPENAI_API_KEY is set
              Try it     curl -s http://127.0.0.1:8080/v1/jobs -H 'Idempotency-Key: first' \\
            -H 'Content-Type: application/json' -H 'Prefer: wait=10' \\
            -d '{"model": "simulator/demo", "prompt": "Say hello"}'""");
  }

  @Test
  void whoever_has_api_keys_is_told_to_send_one() {
    assertThat(new Greeting(environment, Greeting.Access.API_KEY).text())
        .contains("-H 'Authorization: Bearer <an API key>'")
        .contains("Provider   openai\n")
        .contains("Dashboard  off\n");
  }

  @Test
  void a_configured_model_is_used_and_no_password_of_the_database_shown() {
    environment
        .withProperty("coatcheck.default-model", "ollama/qwen3")
        .withProperty("spring.datasource.url", "jdbc:postgresql://db/x?password=hidden");
    assertThat(new Greeting(environment, Greeting.Access.API_KEY).text())
        .contains("\"model\": \"ollama/qwen3\"")
        .contains("Database   jdbc:postgresql://db/x\n")
        .doesNotContain("hidden");
  }
}
