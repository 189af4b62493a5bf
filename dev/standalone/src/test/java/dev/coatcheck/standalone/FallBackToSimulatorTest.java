package dev.coatcheck.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.mock.env.MockEnvironment;

class FallBackToSimulatorTest {
  private final MockEnvironment environment = new MockEnvironment();

  @Test
  void without_provider_and_api_key_a_simulated_provider_answers() throws Exception {
    try (var context = initialise();
        var client = HttpClient.newHttpClient()) {
      assertThat(chosen()).isEqualTo("simulator");
      assertThat(environment.getProperty("coatcheck.providers.simulator.dialect"))
          .isEqualTo("openai");
      var url = environment.getRequiredProperty("coatcheck.providers.simulator.base-url");
      var request =
          HttpRequest.newBuilder(URI.create(url + "/chat/completions"))
              .POST(
                  HttpRequest.BodyPublishers.ofString(
                      "{\"model\":\"any\",\"messages\":[{\"role\":\"user\",\"content\":\"hello\"}]}"))
              .build();
      assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(200);
      assertThat(context.isActive()).isTrue();
    }
  }

  @Test
  void a_chosen_provider_is_kept() {
    environment.setProperty("coatcheck.default-provider", "ollama");
    try (var context = initialise()) {
      assertThat(context.isActive()).isTrue();
      assertThat(chosen()).isEqualTo("ollama");
    }
  }

  @Test
  void an_api_key_for_the_default_provider_is_used() {
    environment.setProperty("OPENAI_API_KEY", "sk-1");
    try (var context = initialise()) {
      assertThat(context.isActive()).isTrue();
      assertThat(chosen()).isEmpty();
    }
  }

  @Test
  void an_empty_variable_is_no_api_key() {
    environment.setProperty("OPENAI_API_KEY", "");
    try (var context = initialise()) {
      assertThat(context.isActive()).isTrue();
      assertThat(chosen()).isEqualTo("simulator");
    }
  }

  private String chosen() {
    return environment.getProperty("coatcheck.default-provider", "");
  }

  private GenericApplicationContext initialise() {
    var context = new GenericApplicationContext();
    context.setEnvironment(environment);
    new FallBackToSimulator().initialize(context);
    context.refresh();
    return context;
  }
}
