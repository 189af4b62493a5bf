package dev.coatcheck.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A caller of the API. */
public record Http(int port, @Nullable String apiKey) {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  public Reply submit(String body) {
    return submit(UUID.randomUUID().toString(), body);
  }

  public Reply submit(String idempotencyKey, String body) {
    return post("/v1/jobs", body, Map.of("Idempotency-Key", idempotencyKey));
  }

  Reply post(String path, String body, Map<String, String> headers) {
    HttpRequest.Builder request =
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(body.getBytes(StandardCharsets.UTF_8)));
    headers.forEach(request::setHeader);
    return send(request);
  }

  public Reply post(String path) {
    return send(request(path).POST(BodyPublishers.noBody()));
  }

  public Reply get(String path) {
    return get(path, Map.of());
  }

  public Reply get(String path, Map<String, String> headers) {
    HttpRequest.Builder request = request(path).GET();
    headers.forEach(request::setHeader);
    return send(request);
  }

  Reply method(String method, String path) {
    return send(request(path).method(method, BodyPublishers.noBody()));
  }

  HttpRequest.Builder request(String path) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(Duration.ofSeconds(90));
    return apiKey == null ? request : request.header("Authorization", "Bearer " + apiKey);
  }

  /** Opens a stream of events. */
  EventStream stream(String path, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .header("Accept", "text/event-stream");
    if (apiKey != null) {
      request.header("Authorization", "Bearer " + apiKey);
    }
    headers.forEach(request::setHeader);
    try {
      return new EventStream(CLIENT.send(request.build(), BodyHandlers.ofInputStream()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  Reply send(HttpRequest.Builder request) {
    try {
      var response = CLIENT.send(request.build(), BodyHandlers.ofByteArray());
      return new Reply(response.statusCode(), response.headers(), new Bytes(response.body()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static final class Bytes {
    private final byte[] bytes;

    Bytes(byte[] bytes) {
      this.bytes = bytes;
    }
  }

  public record Reply(int status, HttpHeaders headers, Bytes bytes) {
    public String body() {
      return new String(bytes.bytes, StandardCharsets.UTF_8);
    }

    JsonNode json() {
      return Json.read(body());
    }

    public String text(String pointer) {
      return json().at(pointer).asString();
    }

    /** Empty if there is no such header. */
    public String header(String name) {
      return headers.firstValue(name).orElse("");
    }
  }
}
