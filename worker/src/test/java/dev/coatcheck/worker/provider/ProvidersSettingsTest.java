package dev.coatcheck.worker.provider;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coatcheck.db.CommonDefaults;
import dev.coatcheck.db.probe.Probe;
import dev.coatcheck.worker.egress.Egress;
import dev.coatcheck.worker.egress.EgressConfiguration;
import dev.coatcheck.worker.egress.EgressSettings;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.env.MapPropertySource;
import org.springframework.util.unit.DataSize;

class ProvidersSettingsTest {
  private final ApplicationContextRunner context =
      new ApplicationContextRunner()
          .withInitializer(
              starting ->
                  starting
                      .getEnvironment()
                      .getPropertySources()
                      .addLast(new MapPropertySource("defaults", CommonDefaults.properties())))
          .withBean(InstantSource.class, InstantSource::system)
          .withBean(Probe.class, Probe::inert)
          .withUserConfiguration(EgressConfiguration.class, ProviderConfiguration.class);

  private static ProviderSettings of(ProvidersSettings settings, String name) {
    return Objects.requireNonNull(settings.providers().get(name));
  }

  @Test
  void three_providers_are_predefined_and_openai_is_the_default() {
    context.run(
        started -> {
          ProvidersSettings settings = started.getBean(ProvidersSettings.class);
          assertThat(settings.providers()).containsOnlyKeys("openai", "anthropic", "ollama");
          assertThat(settings.defaultProvider()).isEqualTo("openai");
          ProviderSettings openai = of(settings, "openai");
          assertThat(openai)
              .extracting("dialect", "baseUrl", "maxConcurrency", "maxTokens", "headers", "query")
              .containsExactly("openai", "https://api.openai.com/v1", 0, null, Map.of(), Map.of());
          assertThat(of(settings, "anthropic"))
              .extracting("dialect", "baseUrl")
              .containsExactly("anthropic", "https://api.anthropic.com");
        });
  }

  @Test
  void the_defaults_of_the_way_out_are_these() {
    context.run(
        started -> {
          assertThat(started.getBean(EgressSettings.class)).isEqualTo(EgressSettings.standard());
          assertThat(EgressSettings.standard())
              .isEqualTo(
                  new EgressSettings(
                      Duration.ofSeconds(5),
                      Duration.ofSeconds(60),
                      DataSize.ofMegabytes(32),
                      null,
                      null));
          assertThat(started.getBean(Egress.class)).isNotNull();
        });
  }

  @Test
  void a_user_overrides_single_properties_and_adds_providers() {
    context
        .withPropertyValues(
            "coatcheck.default-provider=house",
            "coatcheck.providers.openai.api-key=sk-canary-1",
            "coatcheck.providers.house.base-url=http://models.internal/v1",
            "coatcheck.providers.house.max-concurrency=3",
            "coatcheck.providers.house.max-tokens=",
            "coatcheck.providers.house.headers.X-Title=Coat check",
            "coatcheck.providers.house.query.api-version=2024-10-21")
        .run(
            started -> {
              ProvidersSettings settings = started.getBean(ProvidersSettings.class);
              Providers providers = started.getBean(Providers.class);
              assertThat(of(settings, "openai").apiKey().reveal()).isEqualTo("sk-canary-1");
              assertThat(of(settings, "openai").baseUrl()).isEqualTo("https://api.openai.com/v1");
              assertThat(of(settings, "house").headers()).containsOnlyKeys("X-Title");
              assertThat(settings.defaultProvider()).isEqualTo("house");
              assertThat(providers.all())
                  .filteredOn(one -> one.name().equals("house"))
                  .singleElement()
                  .satisfies(house -> assertThat(house.maxConcurrency()).isEqualTo(3));
              assertThat(settings.toString()).doesNotContain("canary").doesNotContain("Coat check");
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "default-provider=nobody | coatcheck.default-provider names a provider",
        "providers.openai.dialect=klingon | coatcheck.providers.openai.dialect must be one of [anthropic, openai]",
        "providers.openai.base-url=ftp://x | coatcheck.providers.openai.base-url must be an http or https URL",
        "providers.openai.base-url=http://u:p@x/ | coatcheck.providers.openai.base-url must be",
        "providers.openai.base-url=http://x/?a=b | coatcheck.providers.openai.base-url must be",
        "providers.openai.base-url=nonsense | coatcheck.providers.openai.base-url must be",
        "providers.mine.max-concurrency=1 | coatcheck.providers.mine.base-url must be",
        "providers.openai.api-key=clé | coatcheck.providers.openai.api-key must be visible ASCII",
        "providers.openai.max-concurrency=-1 | coatcheck.providers.openai.max-concurrency must be",
        "providers.openai.max-tokens=0 | coatcheck.providers.openai.max-tokens must be positive",
        "providers.openai.headers.Host=x | coatcheck.providers.openai.headers may not set host",
        "providers.openai.headers.X-A=ü | coatcheck.providers.openai.headers must be header names",
        "egress.connect-timeout=0s | coatcheck.egress.connect-timeout must be",
        "egress.idle-timeout=2h | coatcheck.egress.idle-timeout must be",
        "egress.max-response=1GB | coatcheck.egress.max-response must be",
        "egress.proxy=socks://x:1 | coatcheck.egress.proxy must be",
        "egress.proxy=http://user:pass@x:1 | coatcheck.egress.proxy must be",
        "egress.ca-file=no-such-file.pem | coatcheck.egress.ca-file must name a readable file",
      })
  void a_fault_is_one_sentence_that_names_the_property(String property, String sentence) {
    context
        .withPropertyValues("coatcheck." + property)
        .run(
            started ->
                assertThat(started)
                    .hasFailed()
                    .getFailure()
                    .rootCause()
                    .hasMessageStartingWith(sentence)
                    .message()
                    .endsWith(".")
                    .doesNotContain("\n"));
  }

  @Test
  void a_credential_in_two_places_is_a_fault() {
    context
        .withPropertyValues(
            "coatcheck.providers.openai.api-key=k",
            "coatcheck.providers.openai.headers.Authorization=Bearer k")
        .run(
            started ->
                assertThat(started)
                    .getFailure()
                    .rootCause()
                    .hasMessage(
                        "coatcheck.providers.openai.headers may not set authorization beside api-key."));
  }
}
