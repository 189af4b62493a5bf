package dev.coatcheck.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coatcheck.app.setting.AppSettings;
import dev.coatcheck.db.setting.SettingFault;
import dev.coatcheck.db.setting.SettingFaultAnalyzer;
import dev.coatcheck.db.tenant.TenantId;
import dev.coatcheck.fixture.TestDatabase;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;

class SettingsTest {
  private static final String PROVIDER = "coatcheck.providers.openai.dialect";
  private static final String HASH = "a".repeat(64);

  @Test
  void names_and_defaults_are_these() {
    AppSettings settings = bind(Map.of(PROVIDER, "openai"));

    assertThat(settings.defaultProvider()).isEqualTo("openai");
    assertThat(settings.defaultModel()).isEmpty();
    assertThat(settings.apiKeys()).isEmpty();
    assertThat(settings.limits().openJobs()).isEqualTo(1_000_000);
    assertThat(settings.retention()).isEqualTo(Duration.ofDays(30));
    assertThat(settings.standalone()).isFalse();

    AppSettings all =
        bind(
            Map.of(
                "coatcheck.providers.mine.base-url", "http://x",
                "coatcheck.default-provider", "mine",
                "coatcheck.default-model", "mine/model",
                "coatcheck.api-keys[0].tenant", "a",
                "coatcheck.api-keys[0].sha256", HASH,
                "coatcheck.limits.open-jobs", "1",
                "coatcheck.retention", "1d",
                "coatcheck.standalone", "true"));
    assertThat(all.isProvider("mine")).isTrue();
    assertThat(all.isProvider("openai")).isFalse();
    assertThat(all.defaultProvider()).isEqualTo("mine");
    assertThat(all.defaultModel()).isEqualTo("mine/model");
    assertThat(all.apiKeys().getFirst().tenantId()).isEqualTo(new TenantId("a"));
    assertThat(all.limits().openJobs()).isEqualTo(1);
    assertThat(all.retention()).isEqualTo(Duration.ofDays(1));
    assertThat(all.standalone()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "coatcheck.default-provider, mine",
    "coatcheck.default-provider, ''",
    "coatcheck.limits.open-jobs, 0",
    "coatcheck.limits.open-jobs, 1000000000001",
    "coatcheck.limits.open-jobs, many",
    "coatcheck.retention, -1d",
    "coatcheck.retention, 3651d",
    "coatcheck.retention, soon",
    "coatcheck.standalone, perhaps",
    "coatcheck.api-keys[0].tenant, a/b",
    "coatcheck.api-keys[0].sha256, AAAA"
  })
  void a_fault_is_one_sentence_that_names_the_property(String name, String value) {
    var properties = new HashMap<String, String>();
    properties.put(PROVIDER, "openai");
    if (name.startsWith("coatcheck.api-keys")) {
      properties.put("coatcheck.api-keys[0].tenant", "a");
      properties.put("coatcheck.api-keys[0].sha256", HASH);
    }
    properties.put(name, value);

    assertThatThrownBy(() -> bind(properties))
        .satisfies(
            failure -> {
              FailureAnalysis analysis = new SettingFaultAnalyzer().analyze(failure);
              assertThat(analysis).isNotNull();
              assertThat(Objects.requireNonNull(analysis).getDescription())
                  .startsWith(name + " must ")
                  .doesNotContain("\n", "Exception", "AAAA", "perhaps");
            });
  }

  @Test
  void a_model_may_have_a_default() {
    try (var app = RunningApp.start("coatcheck.default-model=ollama/llama3")) {
      Http.Reply ticket = app.as("acme").submit("{\"prompt\":\"hi\"}");

      assertThat(ticket.text("/model")).isEqualTo("ollama/llama3");
      assertThat(app.sql().sql("select provider from job").query(String.class).single())
          .isEqualTo("ollama");
    }
  }

  @Test
  void without_a_key_the_app_does_not_start() {
    try (var database = TestDatabase.create()) {
      assertThatThrownBy(() -> startWithoutKeys(database))
          .hasRootCauseInstanceOf(SettingFault.class)
          .rootCause()
          .message()
          .contains("coatcheck.api-keys", "keys create --tenant")
          .doesNotContain("\n");
    }
  }

  @Test
  void a_key_in_the_database_is_enough() {
    try (var database = TestDatabase.create()) {
      RunningApp first = RunningApp.startOn(database);
      String key = first.makeKey("acme");
      first.context().close();
      RunningApp app = startWithoutKeys(database);
      assertThat(app.anonymous().get("/v1/jobs").status()).isEqualTo(401);
      assertThat(new Http(app.port(), key).get("/v1/jobs").status()).isEqualTo(200);
      app.context().close();
    }
  }

  @Test
  void a_standalone_process_without_keys_serves_this_machine_alone() throws Exception {
    try (var database = TestDatabase.create()) {
      RunningApp app = startWithoutKeys(database, "coatcheck.standalone=true");
      Http.Reply ticket = app.anonymous().submit("{\"model\":\"m\",\"prompt\":\"p\"}");

      assertThat(ticket.status()).isEqualTo(202);
      assertThat(app.sql().sql("select tenant_id from job").query(String.class).single())
          .isEqualTo("default");
      assertThat(Interfaces.listening(app.port())).containsOnly("loopback");
      app.context().close();

      assertThatThrownBy(
              () ->
                  startWithoutKeys(database, "coatcheck.standalone=true", "server.address=0.0.0.0"))
          .hasRootCauseInstanceOf(SettingFault.class)
          .rootCause()
          .message()
          .startsWith("server.address must be a loopback address");
    }
  }

  private static RunningApp startWithoutKeys(TestDatabase database, String... properties) {
    return RunningApp.startWithoutKeysOn(database, properties);
  }

  private static AppSettings bind(Map<String, String> properties) {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bindOrCreate("coatcheck", Bindable.of(AppSettings.class));
  }
}
