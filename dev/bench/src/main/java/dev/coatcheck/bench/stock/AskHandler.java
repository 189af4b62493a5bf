package dev.coatcheck.bench.stock;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.SQLException;
import java.time.Duration;
import javax.sql.DataSource;
import org.jobrunr.jobs.lambdas.JobRequestHandler;

/** Asks the provider and stores what it said. */
public final class AskHandler implements JobRequestHandler<AskRequest> {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final URI completions;
  private final DataSource pool;

  AskHandler(URI completions, DataSource pool) {
    this.completions = completions;
    this.pool = pool;
  }

  @Override
  public void run(AskRequest job) throws IOException, InterruptedException, SQLException {
    var body =
        "{\"model\":\"simulated\",\"messages\":[{\"role\":\"user\",\"content\":\"%s\"}]}"
            .formatted(job.prompt());
    var request =
        HttpRequest.newBuilder(completions)
            .timeout(TIMEOUT)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
    store(job, client.send(request, BodyHandlers.ofString()).body());
  }

  private void store(AskRequest job, String answer) throws SQLException {
    try (var connection = pool.getConnection();
        var insert =
            connection.prepareStatement(
                "insert into stock_result (marker, answer) values (?, ?)")) {
      insert.setString(1, job.marker());
      insert.setString(2, answer);
      insert.executeUpdate();
    }
  }
}
