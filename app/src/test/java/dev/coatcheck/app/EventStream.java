package dev.coatcheck.app;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** A caller who follows a job, as the standard says that he reads. */
final class EventStream implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Event CLOSED = new Event("", "closed", "");

  private final HttpResponse<InputStream> response;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  EventStream(HttpResponse<InputStream> response) {
    this.response = response;
    Thread.ofVirtual().start(this::read);
  }

  record Event(String id, String type, String data) {
    JsonNode json() {
      return Json.read(data);
    }

    @Override
    public String toString() {
      return id + " " + type;
    }
  }

  int status() {
    return response.statusCode();
  }

  String header(String name) {
    return response.headers().firstValue(name).orElse("");
  }

  /** The next one; its type is {@code closed} at the end of the stream. */
  Event next() {
    try {
      Event event = events.poll(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
      if (event == null) {
        throw new AssertionError("no event came");
      }
      return event;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** All up to the end of the stream. */
  List<Event> rest() {
    var rest = new ArrayList<Event>();
    for (Event event = next(); !event.equals(CLOSED); event = next()) {
      rest.add(event);
    }
    return rest;
  }

  private void read() {
    try (var lines =
        new BufferedReader(new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
      String id = "";
      String type = "";
      String data = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("id: ")) {
          id = line.substring(4);
        } else if (line.startsWith("event: ")) {
          type = line.substring(7);
        } else if (line.startsWith("data: ")) {
          data = line.substring(6);
        } else if (line.isEmpty() && !type.isEmpty()) {
          events.add(new Event(id, type, data));
          type = "";
        }
      }
    } catch (IOException e) {
      // Cut: the end, like any other.
    } finally {
      events.add(CLOSED);
    }
  }

  @Override
  public void close() {
    try {
      response.body().close();
    } catch (IOException e) {
      // It was closed already.
    }
  }
}
