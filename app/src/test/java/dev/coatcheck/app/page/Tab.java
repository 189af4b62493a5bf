package dev.coatcheck.app.page;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A tab of a browser: what it is told to do, and what it complained of. */
final class Tab implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int TIMEOUT_S = 60;

  private final Map<Integer, CompletableFuture<JsonNode>> answers = new ConcurrentHashMap<>();
  private final AtomicInteger ids = new AtomicInteger();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private final List<String> dialogs = new CopyOnWriteArrayList<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private @Nullable WebSocket socket;

  static Tab connect(HttpClient client, URI address) {
    var tab = new Tab();
    tab.socket = client.newWebSocketBuilder().buildAsync(address, tab.new Ear()).join();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      tab.call(domain + ".enable", Map.of());
    }
    return tab;
  }

  void go(String url) {
    call("Page.navigate", Map.of("url", url));
  }

  /** The value of an expression in the page. */
  JsonNode eval(String expression) {
    JsonNode answer =
        call(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (answer.has("exceptionDetails")) {
      throw new AssertionError(answer.toString());
    }
    return answer.at("/result/value");
  }

  String text(String selector) {
    return eval("document.querySelector("
            + JSON.writeValueAsString(selector)
            + ")?.innerText ?? ''")
        .asString();
  }

  /** Errors, exceptions and breaches of the page's policy. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** What {@code alert} and its like said. */
  List<String> dialogs() {
    return List.copyOf(dialogs);
  }

  /** Each URL that was asked for. */
  List<String> requests() {
    return List.copyOf(requests);
  }

  void size(int width, int height) {
    call(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  void prefer(String feature, String value) {
    call(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", feature, "value", value))));
  }

  byte[] screenshot() {
    JsonNode picture =
        call("Page.captureScreenshot", Map.of("format", "png", "captureBeyondViewport", false));
    return Base64.getDecoder().decode(picture.at("/data").asString());
  }

  private JsonNode call(String method, Map<String, ?> parameters) {
    int id = ids.incrementAndGet();
    var answer = new CompletableFuture<JsonNode>();
    answers.put(id, answer);
    String message =
        JSON.writeValueAsString(Map.of("id", id, "method", method, "params", parameters));
    if (socket == null) {
      throw new IllegalStateException("not connected");
    }
    socket.sendText(message, true).join();
    return answer.orTimeout(TIMEOUT_S, TimeUnit.SECONDS).join();
  }

  private void hear(JsonNode message) {
    if (message.has("id")) {
      CompletableFuture<JsonNode> answer = answers.remove(message.at("/id").intValue());
      if (answer != null) {
        answer.complete(message.at("/result"));
      }
      return;
    }
    switch (message.at("/method").asString()) {
      case "Runtime.exceptionThrown" -> complaints.add(message.toString());
      case "Log.entryAdded" -> {
        if (message.at("/params/entry/level").asString().equals("error")) {
          complaints.add(message.at("/params/entry").toString());
        }
      }
      case "Page.javascriptDialogOpening" -> dialogs.add(message.at("/params/message").asString());
      case "Network.requestWillBeSent" ->
          requests.add(message.at("/params/request/url").asString());
      default -> {}
    }
  }

  private final class Ear implements WebSocket.Listener {
    private final List<CharSequence> parts = new ArrayList<>();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      parts.add(data.toString());
      if (last) {
        String whole = String.join("", parts);
        parts.clear();
        hear(JSON.readTree(whole));
      }
      from.request(1);
      return null;
    }
  }

  @Override
  public void close() {
    if (socket != null) {
      socket.abort();
    }
  }
}
