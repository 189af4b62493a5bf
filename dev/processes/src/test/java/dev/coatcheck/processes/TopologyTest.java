package dev.coatcheck.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The compose topology as processes: one app, two workers, one PostgreSQL, one provider. */
class TopologyTest {
  private static final int JOBS = 200;
  private static final Duration TIME_TO_END = Duration.ofSeconds(30);

  @TempDir Path directory;

  @Test
  void two_workers_share_the_jobs_and_send_each_once() throws Exception {
    // Fewer slots than jobs, and calls that take a moment: neither worker can have them all.
    var settings = StackSettings.disposable(directory).with("coatcheck.worker.concurrency", "60");
    try (var stack = Stack.start(settings);
        var client = HttpClient.newHttpClient()) {
      var jobs = submitAll(stack, client);
      assertThat(jobs).hasSize(JOBS).doesNotHaveDuplicates();

      await()
          .atMost(TIME_TO_END)
          .untilAsserted(() -> assertThat(ended(stack, "completed")).isEqualTo(JOBS));
      assertThat(jobs)
          .allSatisfy(job -> assertThat(read(stack, client, job)).contains("completed"));

      var prompts =
          stack.simulator().received("coat ").stream()
              .map(SimulatorProcess.Received::prompt)
              .toList();
      assertThat(prompts).hasSize(JOBS).doesNotHaveDuplicates();
      assertThat(stack.workers())
          .allSatisfy(
              worker -> assertThat(worker.metric("coatcheck_attempts_total", "")).isPositive());
    }
  }

  private static double ended(Stack stack, String status) {
    return stack.workers().stream()
        .mapToDouble(worker -> worker.metric("coatcheck_jobs_ended_total", status))
        .sum();
  }

  private static List<String> submitAll(Stack stack, HttpClient client) throws Exception {
    try (var callers = Executors.newFixedThreadPool(8)) {
      List<Callable<String>> submits =
          IntStream.range(0, JOBS)
              .<Callable<String>>mapToObj(number -> () -> submit(stack, client, number))
              .toList();
      return callers.invokeAll(submits).stream().map(Future::resultNow).toList();
    }
  }

  private static String submit(Stack stack, HttpClient client, int number) throws Exception {
    var body = "{\"prompt\": \"Keep coat %d. [[sim: ok delay=500ms]]\"}".formatted(number);
    var request =
        to(stack.app().url().resolve("v1/jobs"))
            .header("Idempotency-Key", "coat-" + number)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    var response = client.send(request, BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(202);
    return response.headers().firstValue("Location").orElseThrow();
  }

  private static String read(Stack stack, HttpClient client, String job) throws Exception {
    HttpResponse<String> response =
        client.send(to(stack.app().url().resolve(job)).build(), BodyHandlers.ofString());
    return response.body();
  }

  private static HttpRequest.Builder to(URI url) {
    return HttpRequest.newBuilder(url).header("Authorization", "Bearer " + Stack.API_KEY);
  }
}
