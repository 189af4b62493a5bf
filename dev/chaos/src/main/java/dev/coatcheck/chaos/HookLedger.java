package dev.coatcheck.chaos;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** An endpoint of webhooks. It verifies each, refuses some with 500, and keeps what it took. */
final class HookLedger implements AutoCloseable {
  private static final byte[] KEY =
      "a-secret-of-webhooks-for-this-run".getBytes(StandardCharsets.UTF_8);

  /** As it is configured. */
  static final String SECRET = "whsec_" + Base64.getEncoder().encodeToString(KEY);

  private static final int REFUSES_EACH = 6;

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger asked = new AtomicInteger();
  private final Set<String> taken = ConcurrentHashMap.newKeySet();
  private final List<String> forged = new CopyOnWriteArrayList<>();

  private HookLedger(HttpServer server) {
    this.server = server;
  }

  static HookLedger start() {
    try {
      var ledger =
          new HookLedger(
              HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100));
      ledger.server.setExecutor(ledger.threads);
      ledger.server.createContext("/", ledger::serve);
      ledger.server.start();
      return ledger;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  URI url() {
    return URI.create("http://127.0.0.1:%d/hook".formatted(server.getAddress().getPort()));
  }

  int asked() {
    return asked.get();
  }

  /** Whether it answered 200 to this id. */
  boolean hasTaken(String webhookId) {
    return taken.contains(webhookId);
  }

  /** What came without a signature that holds. */
  List<String> forged() {
    return List.copyOf(forged);
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = exchange.getRequestBody().readAllBytes();
      var headers = exchange.getRequestHeaders();
      var id = String.valueOf(headers.getFirst("webhook-id"));
      var signed = id + "." + headers.getFirst("webhook-timestamp") + ".";
      var signature = String.valueOf(headers.getFirst("webhook-signature"));
      if (!List.of(signature.split(" ")).contains("v1," + sign(signed, body))) {
        forged.add(id + " " + signature);
      }
      if (asked.incrementAndGet() % REFUSES_EACH == 0) {
        exchange.sendResponseHeaders(500, -1);
      } else {
        taken.add(id);
        exchange.sendResponseHeaders(200, -1);
      }
    }
  }

  private static String sign(String head, byte[] body) {
    try {
      var mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(KEY, "HmacSHA256"));
      mac.update(head.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.close();
  }
}
