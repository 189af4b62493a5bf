package dev.coatcheck.chaos;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Tools behind HTTP, which write what they did into the ledger of effects. {@code /keyed/…} does it
 * once an {@code Idempotency-Key}, {@code /once/…} each time it is asked. Every fourth answer is
 * lost after the effect, and some come late.
 */
final class FakeTool implements AutoCloseable {
  private static final int LOSES_EACH = 4;
  private static final int LATE_EACH = 3;
  private static final long LATE_MS = 400;
  private static final String KEY = "Idempotency-Key";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final EffectLedger ledger;
  private final AtomicInteger asked = new AtomicInteger();

  private FakeTool(HttpServer server, EffectLedger ledger) {
    this.server = server;
    this.ledger = ledger;
  }

  static FakeTool start(EffectLedger ledger) {
    try {
      var tool =
          new FakeTool(
              HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100),
              ledger);
      tool.server.setExecutor(tool.threads);
      tool.server.createContext("/", tool::serve);
      tool.server.start();
      return tool;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With a slash at the end. */
  URI url() {
    return URI.create("http://127.0.0.1:%d/".formatted(server.getAddress().getPort()));
  }

  int asked() {
    return asked.get();
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getPath();
      var body = exchange.getRequestBody().readAllBytes();
      var key = exchange.getRequestHeaders().getFirst(KEY);
      int number = asked.incrementAndGet();
      if (number % LATE_EACH == 0) {
        Cluster.rest(LATE_MS);
      }
      happen(path, key == null ? "" : key);
      if (number % LOSES_EACH != 0) {
        var answer = "{\"done\":true,\"bytes\":%d}".formatted(body.length);
        var bytes = answer.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
      }
    }
  }

  private void happen(String path, String key) {
    var tool = path.substring(path.lastIndexOf('/') + 1);
    if (path.startsWith("/keyed/")) {
      ledger.happenOnce(tool, key);
    } else {
      ledger.happen(tool, key);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
