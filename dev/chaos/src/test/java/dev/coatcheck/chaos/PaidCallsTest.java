package dev.coatcheck.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.coatcheck.processes.Stack;
import dev.coatcheck.processes.StackSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** At real settings, and as long as it takes: what is paid for is not paid for twice. */
@Tag("nightly")
@EnabledIfSystemProperty(named = "chaos.size", matches = "nightly")
class PaidCallsTest {
  private static final int CALLS = 20;
  private static final Duration AWAY = Duration.ofSeconds(40);
  private static final Duration LONG = Duration.ofMinutes(2);

  @TempDir Path directory;

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void twenty_calls_of_20_s_outlive_40_s_without_a_database() throws Exception {
    try (var stack = Stack.start(StackSettings.disposable(directory))) {
      for (int n = 0; n < CALLS; n++) {
        submit(stack, n);
      }
      await().atMost(LONG).until(() -> stack.simulator().counts().open() == CALLS);
      stack.postgres().stop();
      TimeUnit.MILLISECONDS.sleep(AWAY.toMillis());
      stack.postgres().start();
      await().atMost(LONG).until(() -> ended(stack) == CALLS);
      assertThat(completed(stack)).isEqualTo(CALLS);
      assertThat(stack.simulator().counts().received()).isEqualTo(CALLS);
      assertThat(stack.simulator().counts().whole()).isEqualTo(CALLS);
    }
  }

  private void submit(Stack stack, int number) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(stack.app().url() + "v1/jobs"))
            .header("Authorization", "Bearer " + Stack.API_KEY)
            .header("Idempotency-Key", "paid-" + number)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString("{\"prompt\": \"[[sim: ok delay=20s]]\"}"))
            .build();
    assertThat(http.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(202);
  }

  private static int ended(Stack stack) {
    return number(stack, "select count(*) from job where ended_at is not null");
  }

  private static int completed(Stack stack) {
    return number(
        stack,
        """
        select count(*) from job where status = 'completed' and (
          select count(*) from attempt where job_id = job.id) = 1
        """);
  }

  private static int number(Stack stack, String sql) {
    return Connect.to(stack.postgres()).sql(sql).query(Integer.class).single();
  }
}
