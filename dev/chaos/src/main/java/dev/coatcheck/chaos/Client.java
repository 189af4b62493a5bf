package dev.coatcheck.chaos;

import dev.coatcheck.chaos.Event.Seen;
import dev.coatcheck.processes.StartServers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sends requests to the apps, and writes each into the history, answered or not. */
final class Client implements AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final JsonMapper JSON = new JsonMapper();
  private static final List<String> OUTCOME =
      List.of("status", "ended_at", "finish_reason", "error", "output_text", "output", "usage");

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(CONNECT).build();
  private final Collection<Event> history = new ConcurrentLinkedQueue<>();
  private final Collection<String> leaks = new ConcurrentLinkedQueue<>();

  List<Event> history() {
    return List.copyOf(history);
  }

  /** Answers that showed one tenant what is another's. */
  List<String> leaks() {
    return List.copyOf(leaks);
  }

  /** Asks as the tenant whose job it is not. */
  Event stranger(Member app, String key, String id) {
    var other = Errand.tenantOf(key).equals("default") ? Launcher.OTHER_TENANT + "-" : "";
    var event = send(Event.Kind.STRANGER, other + key, app, to(app, other, "v1/jobs/" + id));
    if (event.status() >= 200 && event.status() < 300) {
      leaks.add("a stranger saw a job: " + event);
    }
    return event;
  }

  Event submit(Member app, String key, String body) {
    return send(Event.Kind.SUBMIT, key, app, submission(app, key, body));
  }

  /** Something else under a key that was taken. */
  Event otherBody(Member app, String key) {
    var body = "{\"prompt\": \"Something else\"}";
    return send(Event.Kind.OTHER_BODY, key, app, submission(app, key, body));
  }

  private static HttpRequest.Builder submission(Member app, String key, String body) {
    return to(app, key, "v1/jobs")
        .header("Idempotency-Key", key)
        .header("Content-Type", "application/json")
        .POST(BodyPublishers.ofString(body));
  }

  Event poll(Member app, String key, String id) {
    return send(Event.Kind.POLL, key, app, to(app, key, "v1/jobs/" + id));
  }

  /** Waits at the server for a while. */
  Event longPoll(Member app, String key, String id) {
    return send(
        Event.Kind.POLL, key, app, to(app, key, "v1/jobs/" + id).header("Prefer", "wait=3"));
  }

  Event cancel(Member app, String key, String id) {
    var request = to(app, key, "v1/jobs/" + id + "/cancel").POST(BodyPublishers.noBody());
    return send(Event.Kind.CANCEL, key, app, request);
  }

  /** Says of every call in doubt that it was done, which keeps it from being sent again. */
  void resolve(Member app, String key, String id) {
    for (var call : inDoubt(app, key, id)) {
      var request =
          to(app, key, "v1/jobs/%s/tool_calls/%s/resolve".formatted(id, call))
              .header("Content-Type", "application/json")
              .POST(BodyPublishers.ofString("{\"outcome\": \"done\"}"));
      Event _ = send(Event.Kind.RESOLVE, key, app, request);
    }
  }

  private List<String> inDoubt(Member app, String key, String id) {
    try {
      var response = http.send(to(app, key, "v1/jobs/" + id).build(), BodyHandlers.ofString());
      var found = new ArrayList<String>();
      for (var call : JSON.readTree(response.body()).path("tool_calls")) {
        if (call.path("state").asString("").equals("in_doubt")) {
          found.add(call.path("id").asString());
        }
      }
      return found;
    } catch (IOException | JacksonException e) {
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  private static HttpRequest.Builder to(Member app, String key, String path) {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:%d/%s".formatted(app.front().port(), path)))
        .timeout(PATIENCE)
        .header("Authorization", "Bearer " + apiKey(Errand.tenantOf(key)));
  }

  private static String apiKey(String tenant) {
    return tenant.equals("default") ? StartServers.API_KEY : Launcher.OTHER_API_KEY;
  }

  private void lookForOthers(String key, String body) {
    var other = Errand.tenantOf(key).equals("default") ? Launcher.OTHER_TENANT : "default";
    if (body.contains(Canary.of(other))) {
      leaks.add("an answer to " + key + " has " + Canary.of(other));
    }
  }

  private Event send(Event.Kind kind, String key, Member app, HttpRequest.Builder request) {
    long start = System.nanoTime();
    int status = 0;
    Seen seen = null;
    try {
      var response = http.send(request.build(), BodyHandlers.ofString());
      status = response.statusCode();
      lookForOthers(key, response.body());
      seen = status < 300 ? read(response.body()) : null;
    } catch (IOException e) {
      status = 0;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    var event = new Event(kind, key, app.name(), start, System.nanoTime(), status, seen);
    history.add(event);
    return event;
  }

  private static @Nullable Seen read(String body) {
    try {
      var job = JSON.readTree(body);
      return new Seen(
          job.path("id").asString(), job.path("status").asString(), outcome(job).toString());
    } catch (JacksonException e) {
      return null;
    }
  }

  private static JsonNode outcome(JsonNode job) {
    var outcome = JSON.createObjectNode();
    OUTCOME.forEach(member -> outcome.set(member, job.path(member)));
    return outcome;
  }

  @Override
  public void close() {
    http.close();
  }
}
