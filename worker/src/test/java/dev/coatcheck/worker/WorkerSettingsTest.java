package dev.coatcheck.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coatcheck.db.CommonDefaults;
import dev.coatcheck.fixture.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A fault stops the start with one sentence that names the property. */
@ExtendWith(OutputCaptureExtension.class)
class WorkerSettingsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "coatcheck.worker.concurrency=0|coatcheck.worker.concurrency must be 1 to 100000",
        "coatcheck.worker.lease=1s|coatcheck.worker.lease must be 3s to 10m",
        "coatcheck.worker.max-deaths=0|coatcheck.worker.max-deaths must be 1 to 100",
        "coatcheck.worker.stop-grace=11m|coatcheck.worker.stop-grace must be 0 to 10m",
        "coatcheck.retry.hold=-1s|coatcheck.retry.hold must be in 0 to 1h",
        "coatcheck.egress.idle-timeout=0s|coatcheck.egress.idle-timeout must be in 1ms to 1h",
        "coatcheck.default-provider=nobody|coatcheck.default-provider names a provider that",
        "coatcheck.providers.openai.base-url=ftp://x|coatcheck.providers.openai.base-url must be",
        "spring.datasource.url=mysql|spring.datasource.url must be a JDBC URL of PostgreSQL",
      })
  void a_fault_is_one_sentence(String property, String sentence, CapturedOutput output) {
    try (TestDatabase database = TestDatabase.create()) {
      List<String> arguments = new ArrayList<>();
      arguments.add("--spring.datasource.url=" + database.jdbcUrl());
      arguments.add("--spring.datasource.username=" + database.username());
      arguments.add("--spring.datasource.password=" + database.password());
      arguments.add("--server.port=0");
      arguments.removeIf(argument -> argument.startsWith("--" + property.replaceAll("=.*", "=")));
      arguments.add("--" + property);
      assertThatThrownBy(() -> start(arguments)).isInstanceOf(RuntimeException.class);
    }
    assertThat(output.getOut()).contains("Description:", sentence).doesNotContain("\tat ");
  }

  private static void start(List<String> arguments) {
    new SpringApplicationBuilder(WorkerApplication.class)
        .properties(CommonDefaults.properties())
        .properties(WorkerDefaults.engine())
        .run(arguments.toArray(String[]::new))
        .close();
  }
}
