package dev.coatcheck.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A caller of the app, over HTTP alone. */
record Api(URI url, String key) {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final JsonMapper JSON = new JsonMapper();

  JsonNode submit(String idempotencyKey, String body) {
    return send(
        request("v1/jobs")
            .header("Idempotency-Key", idempotencyKey)
            .POST(BodyPublishers.ofString(body)));
  }

  /** The job once it has ended or needs somebody. */
  JsonNode await(String job) {
    while (true) {
      JsonNode found = send(request("v1/jobs/" + job).header("Prefer", "wait=10").GET());
      String status = found.path("status").asString();
      if (!status.equals("queued") && !status.equals("in_progress")) {
        return found;
      }
    }
  }

  void decide(JsonNode job, JsonNode call, String action, String body) {
    String path =
        "v1/jobs/%s/tool_calls/%s/%s"
            .formatted(job.path("id").asString(), call.path("id").asString(), action);
    send(request(path).POST(BodyPublishers.ofString(body)));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(url.resolve(path))
        .header("Content-Type", "application/json")
        .header("Authorization", "Bearer " + key);
  }

  private static JsonNode send(HttpRequest.Builder request) {
    try {
      var response = CLIENT.send(request.build(), BodyHandlers.ofString());
      if (response.statusCode() >= 300) {
        throw new IllegalStateException(response.body());
      }
      return JSON.readTree(response.body());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
